import { noteAnswer } from '../../src/domain/deployment-config/canary-metrics.js';
import type {
  CanaryNotes,
  CanaryStage,
} from '../../src/domain/deployment-config/canary-strategy.js';
import type {
  ControllerSummary,
  VersionObservation,
  VersionPhase,
} from '../../src/domain/deployment-config/observation.js';
import { planVersion } from '../../src/domain/deployment-config/plan-version.js';
import {
  toVersionStages,
  type VersionAction,
  type VersionPlan,
} from '../../src/domain/deployment-config/plan.js';
import { canonicalJson } from '../../src/domain/shared/canonical-json.js';
import { controller, versionObservation, versionsNowMs } from './versions.js';

/** A version's pods, as they are and as its status last told of them. */
interface SimulatedVersion {
  readonly version: number;
  readonly phase: VersionPhase;
  readonly desired: number;
  readonly available: number;
  /** Available when the status was last told, and sick since. */
  readonly fallenSick: number;
  readonly unready: number;
  readonly told: { readonly replicas: number; readonly available: number };
  readonly statusIsCurrent: boolean;
}

interface SimulatedCanary {
  readonly replicas: number;
  readonly paused: boolean;
  readonly versions: readonly SimulatedVersion[];
  readonly notes: Omit<CanaryNotes, 'metrics'>;
  /** Good answers so far, for a step's one metric. */
  readonly measured: number;
  readonly atMs: number;
  /** How often somebody may still interfere. */
  readonly left: number;
}

export interface CanaryDisturbances {
  readonly count: number;
  readonly sizes?: readonly number[];
  readonly sickness?: boolean;
  readonly pauses?: boolean;
}

interface Move {
  readonly label: string;
  readonly to: SimulatedCanary;
  readonly isWrite?: boolean;
  readonly isDisturbance?: boolean;
}

const ownVersion = 3;
const longTime = 10 ** 9;

/** Version 1 serves, version 3 is about to begin; version 2 was overtaken with some pods, all well or not. */
export function canaryStart(
  replicas: number,
  left: number,
  overtaken?: { readonly pods: number; readonly areWell: boolean },
): SimulatedCanary {
  const settled = (version: number, phase: VersionPhase, pods: number, isWell = true) => ({
    version,
    phase,
    desired: pods,
    available: isWell ? pods : 0,
    fallenSick: 0,
    unready: isWell ? 0 : pods,
    told: { replicas: pods, available: isWell ? pods : 0 },
    statusIsCurrent: true,
  });
  const { pods = 0, areWell = true } = overtaken ?? {};
  return {
    replicas,
    paused: false,
    versions: [
      settled(1, 'Complete', replicas - pods),
      ...(pods === 0 ? [] : [settled(2, 'Failed', pods, areWell)]),
      settled(ownVersion, 'Running', 0),
    ],
    notes: { step: 0 },
    measured: 0,
    atMs: versionsNowMs,
    left,
  };
}

/**
 * Goes through every state that a canary can reach, in whatever order pods come, go and get ready,
 * statuses follow, people approve and workers are killed between two writes. Every write is judged, no
 * way leads round in a circle, and each ends in a complete version. Resolves to the number of states.
 */
export function walkCanaries(
  stages: readonly CanaryStage[],
  start: SimulatedCanary,
  disturbances: CanaryDisturbances,
): number {
  const nodes: {
    readonly state: SimulatedCanary;
    readonly from?: number;
    readonly label: string;
  }[] = [];
  const indexes = new Map<string, number>();
  const visit = (state: SimulatedCanary, label: string, from?: number): number => {
    const key = canonicalJson(state);
    const known = indexes.get(key);
    if (known !== undefined) return known;
    indexes.set(key, nodes.length);
    return nodes.push({ state, label, ...(from === undefined ? {} : { from }) }) - 1;
  };
  const fail = (wrong: string, at: number): never => {
    const way: string[] = [];
    for (let index: number | undefined = at; index !== undefined; index = nodes[index]!.from) {
      way.unshift(`${nodes[index]!.label}\n    ${JSON.stringify(nodes[index]!.state)}`);
    }
    throw new Error(`${wrong}\n${way.join('\n')}`);
  };
  visit(start, 'start');
  const ways: (readonly number[])[] = [];
  for (let at = 0; at < nodes.length; at += 1) {
    const { state } = nodes[at]!;
    const plan = planVersion(observe(state, stages));
    const out: number[] = [];
    let isEnd = true;
    for (const { label, to, isWrite, isDisturbance } of movesFrom(
      state,
      stages,
      plan,
      disturbances,
    )) {
      const wrong = isWrite === true ? judgeWrite(state, to) : undefined;
      if (wrong !== undefined) fail(`${label} ${wrong}`, at);
      const index = visit(to, label, at);
      if (index === at || isDisturbance === true) continue;
      isEnd = false;
      out.push(index);
    }
    ways.push(out);
    if (isEnd && !state.paused && plan.phase !== 'Complete') fail(`it rests as ${plan.phase}`, at);
    if (plan.phase === 'Failed') fail('it fails', at);
  }
  const circling = findCircle(ways);
  if (circling !== undefined) fail('it goes round in circles', circling);
  return nodes.length;
}

/** What a worker sees. */
function observe(state: SimulatedCanary, stages: readonly CanaryStage[]): VersionObservation {
  const { notes, measured, atMs, replicas, paused } = state;
  const strategy = { type: 'Canary', timeoutSeconds: longTime, stages } as const;
  const metrics = new Map(
    measured === 0
      ? []
      : [['errors', { passed: measured, value: 0, atMs: 0, troubles: 0 }] as const],
  );
  const controllers: readonly ControllerSummary[] = state.versions.map((each) =>
    controller({
      version: each.version,
      phase: each.phase,
      strategy,
      desired: each.desired,
      replicas: each.told.replicas,
      ready: each.told.available,
      available: each.told.available,
      statusIsCurrent: each.statusIsCurrent,
      canary: each.version === ownVersion ? { ...notes, metrics } : { step: 0, metrics: new Map() },
    }),
  );
  return versionObservation(controllers, {
    version: ownVersion,
    observedAtMs: atMs,
    config: { latestVersion: ownVersion, replicas, paused },
  });
}

function* movesFrom(
  state: SimulatedCanary,
  stages: readonly CanaryStage[],
  plan: VersionPlan,
  disturbances: CanaryDisturbances,
): Generator<Move> {
  if (plan.phase === 'Complete') return;
  yield* writesOf(state, plan);
  for (const each of state.versions) {
    for (const [label, to] of doingsOf(each)) {
      yield { label: `web-${each.version} ${label}`, to: replace(state, to) };
    }
  }
  yield* peoplesMoves(state, stages, plan);
  if (state.left > 0) yield* disturbancesOf(state, disturbances);
}

/** A worker may be killed at any time: any part of a stage may be what was written last. */
function* writesOf(state: SimulatedCanary, { actions }: VersionPlan): Generator<Move> {
  let before = state;
  for (const stage of toVersionStages(actions.filter(({ kind }) => kind !== 'announce'))) {
    for (let part = 1; part < 2 ** stage.length; part += 1) {
      const written = stage.filter((_, index) => (part & (1 << index)) !== 0);
      const label = `write ${JSON.stringify(written)}`;
      yield { label, to: written.reduce(write, before), isWrite: true };
    }
    before = stage.reduce(write, before);
  }
}

function write(state: SimulatedCanary, action: VersionAction): SimulatedCanary {
  switch (action.kind) {
    case 'scaleController': {
      const each = state.versions.find(({ version }) => `web-${version}` === action.name)!;
      const missing = action.to - each.available - each.fallenSick - each.unready;
      // A pod that is not created yet is like one that is not ready.
      const unready = each.unready + Math.max(0, missing);
      return replace(state, { ...each, desired: action.to, unready, statusIsCurrent: false });
    }
    case 'setPhase':
      return replace(state, {
        ...state.versions.find(({ version }) => `web-${version}` === action.name)!,
        phase: action.to,
      });
    case 'noteCanary': {
      const { approval } = state.notes;
      const isSame = action.to.step === action.from;
      return {
        ...state,
        notes: { ...action.to, ...(approval === undefined ? {} : { approval }) },
        measured: isSame ? state.measured : 0,
      };
    }
    case 'measure': {
      const rule = { name: 'errors', intervalSeconds: 0, count: 1 };
      const before = { passed: state.measured, atMs: 0, troubles: 0 };
      return { ...state, measured: noteAnswer(rule, before, { value: 0 }, 0).passed };
    }
    default:
      throw new Error(`no ${action.kind} was expected here`);
  }
}

function* doingsOf(each: SimulatedVersion): Generator<readonly [string, SimulatedVersion]> {
  const pods = each.available + each.fallenSick + each.unready;
  if (pods > each.desired) {
    const available = Math.min(each.available, each.desired);
    const fallenSick = Math.min(each.fallenSick, each.desired - available);
    const unready = each.desired - available - fallenSick;
    yield ['deletes pods', { ...each, available, fallenSick, unready }];
  }
  const { told, available, fallenSick } = each;
  const isNews = told.replicas !== pods || told.available !== available || fallenSick > 0;
  if (isNews || !each.statusIsCurrent) {
    const unready = each.unready + fallenSick;
    const now = { told: { replicas: pods, available }, statusIsCurrent: true };
    yield ['publishes its status', { ...each, ...now, unready, fallenSick: 0 }];
  }
  if (each.unready > 0) {
    yield ['gets a pod ready', { ...each, unready: each.unready - 1, available: available + 1 }];
  }
}

/** What people do sooner or later, and time. */
function* peoplesMoves(
  state: SimulatedCanary,
  stages: readonly CanaryStage[],
  { next, actions }: VersionPlan,
): Generator<Move> {
  const { notes, atMs } = state;
  const stage = stages[notes.step];
  const isOpen = notes.approval?.step !== notes.step;
  if (stage !== undefined && isOpen && (stage.needsApproval || stage.isComparison)) {
    const approval = { step: notes.step, winner: 'new' } as const;
    yield { label: 'user: approve', to: { ...state, notes: { ...notes, approval } } };
  }
  // A worker that has something to do does it in no time.
  const untilMs = next.kind === 'wait' && actions.length === 0 ? next.untilMs : undefined;
  if (untilMs !== undefined && untilMs < atMs + longTime) {
    yield { label: 'time passes', to: { ...state, atMs: Math.max(untilMs, atMs) } };
  }
}

function* disturbancesOf(
  state: SimulatedCanary,
  { sizes = [], sickness = false, pauses = false }: CanaryDisturbances,
): Generator<Move> {
  const after = { ...state, left: state.left - 1 };
  for (const replicas of sizes) {
    if (replicas === state.replicas) continue;
    yield { label: `user: size ${replicas}`, to: { ...after, replicas }, isDisturbance: true };
  }
  if (pauses) {
    const paused = !state.paused;
    yield {
      label: `user: ${paused ? 'pause' : 'resume'}`,
      to: { ...after, paused },
      isDisturbance: true,
    };
  }
  for (const each of sickness ? state.versions : []) {
    if (each.available === 0) continue;
    const { available, fallenSick } = each;
    const sick = { ...each, available: available - 1, fallenSick: fallenSick + 1 };
    yield {
      label: `web-${each.version}: a pod gets sick`,
      to: replace(after, sick),
      isDisturbance: true,
    };
  }
}

function replace(state: SimulatedCanary, next: SimulatedVersion): SimulatedCanary {
  return {
    ...state,
    versions: state.versions.map((each) => (each.version === next.version ? next : each)),
  };
}

const total = (
  { versions }: SimulatedCanary,
  count: (version: SimulatedVersion) => number,
): number => versions.reduce((sum, version) => sum + count(version), 0);

/** What fell sick since a status told of it counts: nobody could know better. */
const staying = ({ available, fallenSick, desired }: SimulatedVersion): number =>
  Math.min(available + fallenSick, desired);

const known = (version: SimulatedVersion): number =>
  Math.min(staying(version), version.told.available);

/** What is wrong with a write, if anything is: too many pods asked for, or too few left that serve. */
function judgeWrite(before: SimulatedCanary, after: SimulatedCanary): string | undefined {
  const { replicas } = before;
  const asked = total(after, ({ desired }) => desired);
  const ceiling = Math.max(
    replicas + Math.ceil(replicas / 4),
    total(before, ({ desired }) => desired),
  );
  if (asked > ceiling) return `asks for ${asked} pods, above the ceiling ${ceiling}`;
  const floor = Math.min(replicas - Math.floor(replicas / 4), total(before, known));
  const left = total(after, staying);
  return left < floor ? `leaves ${left} pods available, below the floor ${floor}` : undefined;
}

/** A state from which a way leads back to it, if there is one. */
function findCircle(ways: readonly (readonly number[])[]): number | undefined {
  const incoming = new Int32Array(ways.length);
  for (const out of ways) for (const to of out) incoming[to]! += 1;
  const open = [...incoming.keys()].filter((index) => incoming[index] === 0);
  let done = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    done += 1;
    for (const to of ways[at]!) {
      incoming[to]! -= 1;
      if (incoming[to] === 0) open.push(to);
    }
  }
  return done === ways.length ? undefined : incoming.findIndex((count) => count > 0);
}
