import type { CaseName } from './cases.js';
import type { EngineName } from './engine-names.js';

/** Of the engine's own process and, for Slipway, of the Temporal server that it works with. */
export interface Shares {
  readonly engine: number;
  readonly temporal?: number;
}

/** With those of the cluster's own processes, which do most of the work for any engine. */
export interface ClusterShares extends Shares {
  readonly cluster: number;
}

interface TurnBase {
  readonly case: CaseName;
  readonly engine: EngineName;
  readonly round: number;
  /** The most that was resident in memory; null where the system doesn't tell. */
  readonly peakBytes: Shares | null;
}

export interface RolloutTurn extends TurnBase {
  readonly kind: 'rollout';
  /** How long each rollout took. */
  readonly seconds: readonly number[];
  /** Of each rollout, on average; null where the system doesn't tell. */
  readonly cpuSeconds: ClusterShares | null;
  /** For each Deployment in each rollout, Slipway only. */
  readonly historyEvents?: readonly number[];
}

export interface IdleTurn extends TurnBase {
  readonly kind: 'idle';
  readonly windowSeconds: number;
  readonly cpuSeconds: Shares | null;
  /** Runs of Deployments that are open while nothing happens, Slipway only. */
  readonly openRuns?: number;
}

/** What was measured in one turn. */
export type Turn = RolloutTurn | IdleTurn;

export function subtract(
  after: ClusterShares | null,
  before: ClusterShares | null,
): ClusterShares | null {
  if (after === null || before === null) return null;
  return combine([after, scale(before, -1)]);
}

export function averageOf(all: readonly (ClusterShares | null)[]): ClusterShares | null {
  const known = all.filter((shares) => shares !== null);
  return known.length === 0 ? null : scale(combine(known), 1 / known.length);
}

function combine(all: readonly ClusterShares[]): ClusterShares {
  const sum = (read: (shares: ClusterShares) => number): number =>
    all.reduce((total, shares) => total + read(shares), 0);
  return {
    engine: sum(({ engine }) => engine),
    ...(all.some(({ temporal }) => temporal !== undefined)
      ? { temporal: sum(({ temporal = 0 }) => temporal) }
      : {}),
    cluster: sum(({ cluster }) => cluster),
  };
}

const scale = ({ engine, temporal, cluster }: ClusterShares, factor: number): ClusterShares => ({
  engine: engine * factor,
  ...(temporal === undefined ? {} : { temporal: temporal * factor }),
  cluster: cluster * factor,
});
