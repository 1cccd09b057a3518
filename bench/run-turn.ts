import { setTimeout as delay } from 'node:timers/promises';

import type { BenchCase } from './cases.js';
import type { Engine } from './engines/engine.js';
import { ProcessUsage } from './process-usage.js';
import {
  averageOf,
  subtract,
  type ClusterShares,
  type IdleTurn,
  type RolloutTurn,
  type Shares,
  type Turn,
} from './turn.js';
import type { Workbench, WorkloadGroup } from './workbench.js';
import type { WorkloadKind } from './workloads.js';

export interface TurnContext {
  readonly bench: Workbench;
  readonly signal: AbortSignal;
  /** The processes of the cluster, which work for whichever engine has its turn. */
  readonly clusterPids: readonly number[];
}

/** The case's own workloads. The engines that roll Deployments roll the same ones. */
export const groupOf = (benchCase: BenchCase, kind: WorkloadKind): WorkloadGroup => ({
  kind,
  namespace: `bench-${benchCase.name}-${kind}`,
  count: benchCase.deployments,
  podsEach: benchCase.podsEach,
});

const warmUpGroup = (kind: WorkloadKind): WorkloadGroup => ({
  kind,
  namespace: `bench-warm-up-${kind}`,
  count: 5,
  podsEach: 10,
});

/** How often: a compiler that works just in time takes a few before it has seen what matters. */
const warmUps = 3;

/** Makes the workloads that the turns of a case find; not timed. */
export async function prepareCase(
  { bench, signal }: TurnContext,
  benchCase: BenchCase,
  engine: Engine,
): Promise<void> {
  const running = await engine.start(signal);
  try {
    await bench.create(groupOf(benchCase, engine.workload));
    await engine.temporal?.records.waitUntilIdle(signal);
  } finally {
    await running.stop();
  }
}

export async function runTurn(
  context: TurnContext,
  benchCase: BenchCase,
  engine: Engine,
  round: number,
): Promise<Turn> {
  const { signal } = context;
  const temporal =
    engine.temporal === undefined ? undefined : new ProcessUsage(engine.temporal.pid);
  temporal?.resetPeak();
  const running = await engine.start(signal);
  try {
    await warmUp(context, engine);
    const usage = {
      engine: new ProcessUsage(running.pid),
      temporal,
      cluster: context.clusterPids.map((pid) => new ProcessUsage(pid)),
    };
    const findings =
      benchCase.kind === 'rollout'
        ? await measureRollouts(context, benchCase, engine, usage)
        : await measureIdling(context, benchCase, engine, usage);
    const peakBytes = readShares(usage, (process) => process.peakBytes());
    return { ...findings, case: benchCase.name, engine: engine.name, round, peakBytes };
  } finally {
    await running.stop();
  }
}

/** Shows that the engine watches and acts, and lets it load what it loads on first use: most run for weeks. */
async function warmUp({ bench, signal }: TurnContext, engine: Engine): Promise<void> {
  const group = warmUpGroup(engine.workload);
  await bench.create(group);
  for (let count = 0; count < warmUps; count += 1) await bench.roll(group);
  await engine.temporal?.records.waitUntilIdle(signal);
}

type RolloutCase = Extract<BenchCase, { kind: 'rollout' }>;
type IdleCase = Extract<BenchCase, { kind: 'idle' }>;

type Findings<T extends Turn> = Omit<T, 'case' | 'engine' | 'round' | 'peakBytes'>;

async function measureRollouts(
  { bench, signal }: TurnContext,
  benchCase: RolloutCase,
  { workload, temporal }: Engine,
  usage: Usage,
): Promise<Findings<RolloutTurn>> {
  const { deployments, rolloutsPerTurn } = benchCase;
  const group = groupOf(benchCase, workload);
  const seconds: number[] = [];
  const spent: (ClusterShares | null)[] = [];
  const historyEvents: number[] = [];
  for (let count = 0; count < rolloutsPerTurn; count += 1) {
    const since = new Date();
    const before = readCpu(usage);
    seconds.push(await bench.roll(group));
    spent.push(subtract(readCpu(usage), before));
    if (temporal === undefined) continue;
    historyEvents.push(...(await temporal.records.countEvents(since, deployments, signal)));
  }
  return {
    kind: 'rollout',
    seconds,
    cpuSeconds: averageOf(spent),
    ...(temporal === undefined ? {} : { historyEvents }),
  };
}

interface Usage {
  readonly engine: ProcessUsage;
  readonly temporal: ProcessUsage | undefined;
  readonly cluster: readonly ProcessUsage[];
}

async function measureIdling(
  { signal }: TurnContext,
  { windowSeconds }: IdleCase,
  { temporal }: Engine,
  usage: Usage,
): Promise<Findings<IdleTurn>> {
  const before = readCpu(usage);
  await delay(windowSeconds * 1_000, undefined, { signal });
  const spent = subtract(readCpu(usage), before);
  return {
    kind: 'idle',
    windowSeconds,
    cpuSeconds: spent === null ? null : withoutCluster(spent),
    ...(temporal === undefined ? {} : { openRuns: await temporal.records.countOpen() }),
  };
}

function readCpu(usage: Usage): ClusterShares | null {
  const shares = readShares(usage, (process) => process.cpuSeconds());
  const parts = usage.cluster.map((process) => process.cpuSeconds());
  if (shares === null || parts.includes(null)) return null;
  return { ...shares, cluster: parts.reduce<number>((sum, part) => sum + (part ?? 0), 0) };
}

function readShares(usage: Usage, read: (process: ProcessUsage) => number | null): Shares | null {
  const engine = read(usage.engine);
  const temporal = usage.temporal === undefined ? undefined : read(usage.temporal);
  if (engine === null || temporal === null) return null;
  return { engine, ...(temporal === undefined ? {} : { temporal }) };
}

const withoutCluster = ({ cluster: _cluster, ...shares }: ClusterShares): Shares => shares;
