import type { Strategy } from '../../src/domain/shared/strategy.js';
import { planDeployment } from '../../src/domain/deployment/plan-deployment.js';
import {
  hasWrites,
  toStages,
  type Action,
  type DeploymentPlan,
} from '../../src/domain/deployment/plan.js';
import { judgeEnd, judgePlan, judgeWrites } from './rollout-promises.js';
import {
  changeSpec,
  endTermination,
  isNewSet,
  managePods,
  nameOf,
  observe,
  podsOf,
  publishStatus,
  readyPods,
  sickenPods,
  write,
  writeStatus,
  type SimulatedCluster,
  type SimulatedSet,
  type SimulatedSpec,
} from './simulated-cluster.js';

/** What may come between, on top of what the cluster does by itself. */
export interface Disturbances {
  /** How many of them at most. */
  readonly count: number;
  readonly templates?: readonly number[];
  readonly sizes?: readonly number[];
  readonly pauses?: boolean;
  readonly sickness?: boolean;
  readonly strategies?: readonly Strategy[];
}

interface Move {
  readonly label: string;
  readonly to: SimulatedCluster;
  /** What happens sooner or later when nobody interferes; of other moves none is relied on. */
  readonly isSure: boolean;
  readonly isDisturbance?: boolean;
  readonly isWrite?: boolean;
}

interface Node {
  readonly cluster: SimulatedCluster;
  readonly left: number;
  readonly from?: number;
  readonly label: string;
}

export interface Walk {
  readonly states: number;
  /** The most writes that any rollout made which was left alone, from any state. */
  readonly mostWrites: number;
}

/**
 * Goes through every state that can be reached from the start, breadth first, so that what is wrong is
 * told by the shortest way there. Then looks at what happens when nobody interferes any more: no way
 * leads round in a circle, and each ends in a complete rollout, in whatever order things happen.
 */
export function walkRollouts(
  starts: readonly SimulatedCluster[],
  disturbances: Disturbances,
): Walk {
  const nodes: Node[] = [];
  const indexes = new Map<string, number>();
  const visit = (node: Node): number => {
    const key = keyOf(node.cluster, node.left);
    const known = indexes.get(key);
    if (known !== undefined) return known;
    indexes.set(key, nodes.length);
    return nodes.push(node) - 1;
  };
  for (const cluster of starts) visit({ cluster, left: disturbances.count, label: 'start' });
  const isRolling = starts.every(({ spec }) => spec.strategy.type === 'RollingUpdate');
  const canHurry = isRolling && disturbances.strategies === undefined;
  const plans = new Map<string, DeploymentPlan>();
  const ways: (readonly number[])[] = [];
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at]!;
    const fail = (wrong: string): never => {
      throw new Error(`${wrong}\n${tell(nodes, at)}`);
    };
    const plan = planFor(node.cluster, plans);
    const wrong = judgePlan(node.cluster, plan);
    if (wrong !== undefined) fail(wrong);
    const out: number[] = [];
    let isEnd = true;
    for (const move of movesFrom(node, plan, disturbances)) {
      const to = canHurry ? hurry(move.to) : move.to;
      if (move.isWrite === true) {
        const broken = judgeWrites(node.cluster, to, node.cluster.spec);
        if (broken !== undefined) fail(`${move.label} ${broken}`);
      }
      const left = node.left - (move.isDisturbance === true ? 1 : 0);
      const index = visit({ cluster: to, left, from: at, label: move.label });
      if (index === at || move.isDisturbance === true) continue;
      if (move.isSure) isEnd = false;
      out.push(move.isWrite === true ? -index : index);
    }
    ways.push(out);
    if (isEnd) {
      const missing = judgeRest(node.cluster, plan);
      if (missing !== undefined) fail(`it comes to rest, but ${missing}`);
    }
  }
  return { states: nodes.length, mostWrites: countWrites(nodes, ways) };
}

/**
 * To a rolling update a pod that is not created yet is like one that is not ready, and one that was told
 * to go is gone; so there are no states for these.
 */
function hurry(cluster: SimulatedCluster): SimulatedCluster {
  let now = cluster;
  for (const set of cluster.sets) {
    if (set.terminating > 0) now = endTermination(now, set) ?? now;
    else if (podsOf(set) < set.desired) now = managePods(now, set) ?? now;
  }
  return now;
}

/** A paused rollout may rest anywhere, all others only when they are complete. */
function judgeRest(cluster: SimulatedCluster, plan: DeploymentPlan): string | undefined {
  let [now, next] = [cluster, plan];
  for (let round = 0; hasWrites(next); round += 1) {
    if (round === 3) return 'it writes on and on';
    now = next.actions.reduce((on, action) => write(on, action) ?? on, now);
    if (next.status !== undefined) now = writeStatus(now, next.status);
    next = planDeployment(observe(now));
  }
  if (now.spec.paused) {
    const isPlain = next.phase === 'Paused' || next.phase === 'Complete';
    return isPlain ? undefined : `its phase is ${next.phase}`;
  }
  return judgeEnd(now, next);
}

function* movesFrom(
  { cluster, left }: Node,
  plan: DeploymentPlan,
  disturbances: Disturbances,
): Generator<Move> {
  yield* writesOf(cluster, plan);
  for (const set of cluster.sets) {
    const name = nameOf(set.template);
    for (const [label, happen] of doings) {
      const to = happen(cluster, set);
      if (to !== undefined) yield { label: `${name} ${label}`, to, isSure: true };
    }
    const readied = readyPods(cluster, set);
    // A sick pod of an old set may get well, but a rollout may not wait for that.
    const isSure = isNewSet(cluster, set);
    if (readied !== undefined) yield { label: `${name} gets a pod ready`, to: readied, isSure };
  }
  if (left > 0) yield* disturbancesOf(cluster, disturbances);
}

const doings: readonly (readonly [
  string,
  (cluster: SimulatedCluster, set: SimulatedSet) => SimulatedCluster | undefined,
])[] = [
  ['creates or deletes pods', (cluster, set) => managePods(cluster, set)],
  ['publishes its status', publishStatus],
  ['is rid of its pods', endTermination],
];

/** A worker may be killed at any time: any part of a stage may be what was written last. */
function* writesOf(cluster: SimulatedCluster, plan: DeploymentPlan): Generator<Move> {
  const noted = plan.actions.filter(isNote).reduce(mustWrite, cluster);
  const stages = toStages(plan.actions.filter((action) => !isNote(action)));
  if (stages.length === 0) {
    if (noted !== cluster) yield toMove([], noted);
    return;
  }
  let before: readonly Action[] = [];
  for (const stage of stages) {
    for (let part = 2 ** stage.length - 1; part >= 1; part -= 1) {
      const actions = [...before, ...stage.filter((_, index) => (part & (1 << index)) !== 0)];
      yield toMove(actions, actions.reduce(mustWrite, noted));
    }
    before = [...before, ...stage];
  }
}

const toMove = (actions: readonly Action[], to: SimulatedCluster): Move => ({
  label: `write ${actions.map(describe).join(' and ')}`,
  to,
  isSure: true,
  isWrite: true,
});

const isNote = ({ kind }: Action): boolean =>
  kind === 'syncReplicaSet' || kind === 'recordRevision' || kind === 'tellStay';

function mustWrite(cluster: SimulatedCluster, action: Action): SimulatedCluster {
  const written = write(cluster, action);
  if (written === undefined) throw new Error(`can't ${describe(action)}`);
  return written;
}

function describe(action: Action): string {
  switch (action.kind) {
    case 'createReplicaSet':
      return `create ${action.name} of ${action.replicas}`;
    case 'scaleReplicaSet':
      return `scale ${action.name} from ${action.from} to ${action.to}`;
    case 'deleteReplicaSet':
      return `delete ${action.name}`;
    default:
      return action.kind;
  }
}

function* disturbancesOf(
  cluster: SimulatedCluster,
  { templates = [], sizes = [], pauses = false, sickness = false, strategies = [] }: Disturbances,
): Generator<Move> {
  const { spec } = cluster;
  // Sizes don't depend on the generation; were it to count on, each change would be planned anew.
  const { generation } = cluster;
  const disturb = (label: string, to: SimulatedCluster): Move => ({
    label,
    to: { ...to, generation },
    isSure: false,
    isDisturbance: true,
  });
  for (const template of templates) {
    if (template !== spec.template)
      yield disturb(`user: template ${template}`, changeSpec(cluster, { template }));
  }
  for (const replicas of sizes) {
    if (replicas !== spec.replicas)
      yield disturb(`user: size ${replicas}`, changeSpec(cluster, { replicas }));
  }
  for (const strategy of strategies) {
    if (strategy !== spec.strategy)
      yield disturb(`user: ${strategy.type}`, changeSpec(cluster, { strategy }));
  }
  if (pauses) {
    const paused = !spec.paused;
    yield disturb(paused ? 'user: pause' : 'user: resume', changeSpec(cluster, { paused }));
  }
  for (const set of sickness ? cluster.sets : []) {
    const to = sickenPods(cluster, set);
    if (to !== undefined) yield disturb(`${nameOf(set.template)}: a pod gets sick`, to);
  }
}

/**
 * States that differ in nothing that sizes depend on are one: the Deployment's status stays unwritten
 * on the way, and of the revisions it only counts which is the latest. Each set becomes two characters,
 * because most of the time goes into this: there is room for up to 3 sick pods, 7 of any other kind, and
 * 15 that are going.
 */
function keyOf({ spec, sets }: SimulatedCluster, left: number): string {
  let latest = 0;
  for (const [index, set] of sets.entries()) {
    if (set.revision > sets[latest]!.revision) latest = index;
  }
  let key = String.fromCharCode(
    (left << 10) | (latest << 8) | (spec.template << 6) | (spec.replicas << 3) | modeOf(spec),
  );
  for (const set of sets) {
    key += String.fromCharCode(
      seenOf(set),
      (set.sizes.max << 12) |
        (set.available << 9) |
        (set.fallenSick << 7) |
        (set.unready << 4) |
        set.terminating,
    );
  }
  return key;
}

const modeOf = ({ strategy, paused }: SimulatedSpec): number =>
  (strategy.type === 'Recreate' ? 2 : 0) | Number(paused);

/** What a worker sees of a set. */
const seenOf = ({ template, desired, sizes, published, statusIsCurrent }: SimulatedSet): number =>
  (template << 13) |
  (desired << 10) |
  (sizes.desired << 7) |
  (published.replicas << 4) |
  (published.available << 1) |
  Number(statusIsCurrent);

/** The same look gives the same plan, so it is planned once; pods that nobody tells of make no difference. */
function planFor(cluster: SimulatedCluster, plans: Map<string, DeploymentPlan>): DeploymentPlan {
  const { spec, revision, sets } = cluster;
  let key = String.fromCharCode(spec.template, spec.replicas, modeOf(spec), revision);
  for (const set of sets) {
    const pods = spec.strategy.type === 'Recreate' ? podsOf(set) + set.terminating : 0;
    key += String.fromCharCode(seenOf(set), set.sizes.max, set.createdAs, set.revision, pods);
  }
  const known = plans.get(key);
  if (known !== undefined) return known;
  const plan = planDeployment(observe(cluster));
  plans.set(key, plan);
  return plan;
}

/** The longest way in writes, over all ways; there is none when one leads round in a circle. */
function countWrites(nodes: readonly Node[], ways: readonly (readonly number[])[]): number {
  const incoming = new Int32Array(ways.length);
  for (const out of ways) for (const way of out) incoming[Math.abs(way)]! += 1;
  const writes = new Int32Array(ways.length);
  const open = [...incoming.keys()].filter((index) => incoming[index] === 0);
  let done = 0;
  let most = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    done += 1;
    most = Math.max(most, writes[at]!);
    for (const way of ways[at]!) {
      const to = Math.abs(way);
      writes[to] = Math.max(writes[to]!, writes[at]! + (way < 0 ? 1 : 0));
      incoming[to]! -= 1;
      if (incoming[to] === 0) open.push(to);
    }
  }
  if (done < ways.length) {
    const circling = incoming.findIndex((count) => count > 0);
    throw new Error(`it goes round in circles\n${tell(nodes, circling)}`);
  }
  return most;
}

/** The way to a state. */
function tell(nodes: readonly Node[], index: number): string {
  const steps: string[] = [];
  for (let at: number | undefined = index; at !== undefined; at = nodes[at]!.from) {
    steps.unshift(`${nodes[at]!.label}\n    ${describeCluster(nodes[at]!.cluster)}`);
  }
  return steps.join('\n');
}

function describeCluster({ spec, sets }: SimulatedCluster): string {
  const parts = sets.map(
    (set) =>
      `${nameOf(set.template)}: asked ${set.desired} (of ${set.sizes.desired}, at most ${set.sizes.max}), ` +
      `has ${set.available} available ${set.fallenSick} sick ${set.unready} unready ${set.terminating} going, ` +
      `says ${set.published.replicas}/${set.published.available}${set.statusIsCurrent ? '' : ' of an older size'}`,
  );
  return [
    `template ${spec.template} × ${spec.replicas}${spec.paused ? ', paused' : ''}`,
    ...parts,
  ].join('; ');
}
