import { test } from '@jest/globals';
import fc from 'fast-check';

import type { DeploymentStatus } from '../../../src/domain/deployment/observation.js';
import { planDeployment } from '../../../src/domain/deployment/plan-deployment.js';
import { isSettled, toStages, type DeploymentPlan } from '../../../src/domain/deployment/plan.js';
import { canonicalJson } from '../../../src/domain/shared/canonical-json.js';
import { defined } from '../../../src/domain/shared/optional.js';
import { emptyStatus } from '../../support/observations.js';
import {
  asked,
  isResizing,
  judgeEnd,
  judgePlan,
  judgeWrites,
} from '../../support/rollout-promises.js';
import {
  boundsOf,
  changeSpec,
  emptyCluster,
  endTermination,
  managePods,
  nameOf,
  observe,
  publishStatus,
  readyPods,
  sickenPods,
  write,
  writeStatus,
  type SimulatedCluster,
  type SimulatedSet,
  type SimulatedSpec,
} from '../../support/simulated-cluster.js';

type Event =
  /** Looks, and carries out what is planned. */
  | { readonly kind: 'work' }
  /** Looks, and begins to write; whatever comes before it goes on finds a plan under way. */
  | { readonly kind: 'begin' }
  | { readonly kind: 'writeOne'; readonly which: number }
  /** The worker is killed: what it hasn't written by now it never will. */
  | { readonly kind: 'kill' }
  | {
      readonly kind: 'manage' | 'publish' | 'ready' | 'sicken' | 'endTermination';
      readonly set: number;
      readonly count: number;
    }
  | { readonly kind: 'spec'; readonly change: Partial<SimulatedSpec> }
  | { readonly kind: 'passTime'; readonly seconds: number };

/** A plan of which some writes are still to come. */
interface UnderWay {
  readonly spec: SimulatedSpec;
  readonly generation: number;
  readonly plan: DeploymentPlan;
  readonly actions: DeploymentPlan['actions'];
  readonly status?: DeploymentStatus;
}

interface Scene {
  readonly cluster: SimulatedCluster;
  readonly underWay?: UnderWay;
}

const isSame = (a: object, b: object): boolean => canonicalJson(a) === canonicalJson(b);

function fail(wrong: string): never {
  throw new Error(wrong);
}

function look(cluster: SimulatedCluster): DeploymentPlan {
  const seen = observe(cluster);
  const plan = planDeployment(seen);
  const wrong = judgePlan(cluster, plan);
  if (wrong !== undefined) fail(wrong);
  const unknowing = { ...seen, deployment: { ...seen.deployment, status: emptyStatus } };
  // Sizes follow from what is there, not from what the Deployment's status says of it.
  const sizesOf = ({ actions }: DeploymentPlan): object =>
    actions
      .filter(({ kind }) => kind !== 'tellStay')
      .map((action) => ({ ...action, memory: undefined }));
  if (!isSame(sizesOf(planDeployment(unknowing)), sizesOf(plan))) fail('the status leads the plan');
  return plan;
}

function writeOne({ cluster, underWay }: Scene, which: number): Scene {
  if (underWay === undefined) return { cluster };
  const { actions, spec, status, generation } = underWay;
  const [stage = [], ...later] = toStages(actions);
  const action = stage[which % stage.length];
  if (action === undefined) {
    // The status comes last, and not at all when the Deployment has changed.
    if (status === undefined || generation !== cluster.generation) return { cluster };
    return { cluster: writeStatus(cluster, status) };
  }
  const rest = stage.filter((other) => other !== action);
  const written = write(cluster, action);
  if (written === undefined) {
    // Somebody else wrote first: what is under way side by side goes on, what was to follow doesn't.
    const { status: _never, ...stale } = underWay;
    return { cluster, underWay: { ...stale, actions: rest } };
  }
  const wrong = judgeWrites(cluster, written, spec);
  if (wrong !== undefined) fail(`${JSON.stringify(action)} ${wrong}`);
  return { cluster: written, underWay: { ...underWay, actions: [...rest, ...later.flat()] } };
}

function begin(cluster: SimulatedCluster): Scene {
  const plan = look(cluster);
  const { spec, generation } = cluster;
  const { actions, status } = plan;
  return { cluster, underWay: { spec, generation, plan, actions, ...defined({ status }) } };
}

function work(before: SimulatedCluster): SimulatedCluster {
  let scene = begin(before);
  const { plan } = scene.underWay ?? fail('nothing is under way');
  while (scene.underWay !== undefined) scene = writeOne(scene, 0);
  const after = scene.cluster;
  const again = plan.actions.reduce((now, action) => write(now, action) ?? now, after);
  if (!isSame(again, after)) fail('carrying out the plan twice is not like once');
  judgeSharing(before, after, plan);
  return after;
}

/** Where every set at work takes its share of a new size, the shares make up the whole. */
function judgeSharing(
  before: SimulatedCluster,
  after: SimulatedCluster,
  { actions }: DeploymentPlan,
): void {
  const active = before.sets.filter((set) => set.desired > 0);
  const isShared = active.every(({ template }) =>
    actions.some((action) => action.kind === 'scaleReplicaSet' && action.name === nameOf(template)),
  );
  if (active.length < 2 || !isShared || !isResizing(before, before.spec)) return;
  if (before.spec.strategy.type === 'Recreate') return;
  const { replicas } = before.spec;
  const whole = replicas === 0 ? 0 : boundsOf(before.spec).ceiling;
  if (asked(after) !== whole) fail(`the shares make ${asked(after)}, not ${whole}`);
}

const doings: Record<
  'manage' | 'publish' | 'ready' | 'sicken' | 'endTermination',
  (cluster: SimulatedCluster, set: SimulatedSet, count: number) => SimulatedCluster | undefined
> = {
  manage: managePods,
  publish: publishStatus,
  ready: readyPods,
  sicken: sickenPods,
  endTermination,
};

function play(scene: Scene, event: Event): Scene {
  const { cluster, underWay } = scene;
  switch (event.kind) {
    case 'work':
      return { cluster: work(cluster) };
    case 'begin':
      return begin(cluster);
    case 'writeOne':
      return writeOne(scene, event.which);
    case 'kill':
      return { cluster };
    case 'spec':
      return { ...scene, cluster: changeSpec(cluster, event.change) };
    case 'passTime':
      return { ...scene, cluster: { ...cluster, atMs: cluster.atMs + event.seconds * 1_000 } };
    default: {
      const set = cluster.sets[event.set % Math.max(1, cluster.sets.length)];
      if (set === undefined) return scene;
      // A plan under way can't know of what a status told after the look it was made from.
      if (event.kind === 'publish' && underWay !== undefined && set.fallenSick > 0) return scene;
      return { ...scene, cluster: doings[event.kind](cluster, set, event.count) ?? cluster };
    }
  }
}

/** Nobody interferes any more; pods of old sets that are sick stay so. */
function bringToRest(start: SimulatedCluster): SimulatedCluster {
  let cluster = start.spec.paused ? changeSpec(start, { paused: false }) : start;
  const rounds = 2 * cluster.spec.replicas + 2 * asked(cluster) + 20;
  for (let round = 0; round < rounds; round += 1) {
    const before = cluster;
    cluster = work(cluster);
    for (const { template } of cluster.sets) {
      const happen = (doing: keyof typeof doings): void => {
        const set = cluster.sets.find((other) => other.template === template) ?? fail('gone');
        cluster = doings[doing](cluster, set, 1_000) ?? cluster;
      };
      happen('manage');
      happen('endTermination');
      if (template === cluster.spec.template) happen('ready');
      happen('publish');
    }
    if (isSame(before, cluster)) return cluster;
    cluster = { ...cluster, atMs: cluster.atMs + 1_000 };
  }
  fail(`no end after ${rounds} rounds`);
}

const sizes = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 200 }));
const percent = fc.integer({ min: 0, max: 100 }).map((share) => `${share}%`);
const margin = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 50 }), percent);
const strategies = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('RollingUpdate' as const),
      maxSurge: margin,
      maxUnavailable: margin,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'Recreate' as const }) },
);

const specs: fc.Arbitrary<SimulatedSpec> = fc.record({
  template: fc.constant(0),
  replicas: sizes,
  paused: fc.constant(false),
  strategy: strategies,
  revisionHistoryLimit: fc.integer({ min: 0, max: 3 }),
});

const podEvent = (kind: keyof typeof doings, most: number): fc.Arbitrary<Event> =>
  fc.record({
    kind: fc.constant(kind),
    set: fc.nat({ max: 3 }),
    count: fc.integer({ min: 1, max: most }),
  });

const events: fc.Arbitrary<Event> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Event>({ kind: 'work' }) },
  { weight: 3, arbitrary: fc.constant<Event>({ kind: 'begin' }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('writeOne'), which: fc.nat({ max: 3 }) }) },
  { weight: 1, arbitrary: fc.constant<Event>({ kind: 'kill' }) },
  { weight: 8, arbitrary: podEvent('manage', 200) },
  { weight: 8, arbitrary: podEvent('publish', 1) },
  { weight: 8, arbitrary: podEvent('ready', 200) },
  { weight: 1, arbitrary: podEvent('sicken', 10) },
  { weight: 3, arbitrary: podEvent('endTermination', 1) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('spec'),
      change: fc.oneof(
        fc.record({ template: fc.nat({ max: 3 }) }),
        fc.record({ replicas: sizes }),
        fc.record({ paused: fc.boolean() }),
        fc.record({ strategy: strategies }),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('passTime'),
      seconds: fc.integer({ min: 1, max: 1_000 }),
    }),
  },
);

/** A failure prints the seed, and the shortest script that was found to fail. */
test('whatever happens to up to 200 pods, promises are kept, and left alone it comes to its end', () => {
  fc.assert(
    fc.property(specs, fc.array(events, { maxLength: 80, size: 'max' }), (spec, script) => {
      const scene = script.reduce<Scene>(play, { cluster: emptyCluster(spec) });
      const end = bringToRest(scene.cluster);
      const plan = look(end);
      const missing = judgeEnd(end, plan);
      if (missing !== undefined) fail(`it came to rest, but ${missing}`);
      if (!isSettled(plan)) fail('it has not settled');
    }),
    { numRuns: 200 },
  );
});
