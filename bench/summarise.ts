import { cases, type BenchCase, type CaseName } from './cases.js';
import { engineNames, type EngineName } from './engine-names.js';
import {
  averageOf,
  type ClusterShares,
  type IdleTurn,
  type RolloutTurn,
  type Shares,
  type Turn,
} from './turn.js';

export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export interface EngineSummary {
  readonly engine: EngineName;
  readonly peakBytes: Shares | null;
  /** Of all rollouts in all rounds. */
  readonly seconds?: Spread;
  /** How often the other's time it took: the median of what each round gave. */
  readonly ratios?: Readonly<Partial<Record<EngineName, number>>>;
  readonly historyEvents?: Spread;
  /** Of one rollout, on average. */
  readonly cpuSeconds?: ClusterShares | null;
  /** While idle, of one core. */
  readonly cpuShare?: Shares | null;
  readonly openRuns?: number;
}

export interface CaseSummary {
  readonly case: CaseName;
  readonly title: string;
  readonly kind: BenchCase['kind'];
  readonly engines: readonly EngineSummary[];
}

/** What all turns together say, case by case. */
export function summarise(turns: readonly Turn[]): readonly CaseSummary[] {
  return cases
    .map(({ name, title, kind }) => {
      const ofCase = turns.filter((turn) => turn.case === name);
      const engines = engineNames.filter((engine) => ofCase.some((turn) => turn.engine === engine));
      return {
        case: name,
        title,
        kind,
        engines: engines.map((engine) => summariseEngine(engine, ofCase)),
      };
    })
    .filter(({ engines }) => engines.length > 0);
}

function summariseEngine(engine: EngineName, ofCase: readonly Turn[]): EngineSummary {
  const own = ofCase.filter((turn) => turn.engine === engine);
  const rollouts = own.filter((turn) => turn.kind === 'rollout');
  const idles = own.filter((turn) => turn.kind === 'idle');
  const shared = { engine, peakBytes: highest(own.map(({ peakBytes }) => peakBytes)) };
  return rollouts.length > 0
    ? { ...shared, ...summariseRollouts(engine, rollouts, ofCase) }
    : { ...shared, ...summariseIdling(idles) };
}

function summariseRollouts(
  engine: EngineName,
  own: readonly RolloutTurn[],
  ofCase: readonly Turn[],
): Partial<EngineSummary> {
  const events = own.flatMap(({ historyEvents = [] }) => historyEvents);
  const others = engineNames.filter((name) => name !== engine);
  const ratios = others.flatMap((other) => {
    const ratio = computeRatio(
      own,
      ofCase.filter((turn) => turn.kind === 'rollout' && turn.engine === other) as RolloutTurn[],
    );
    return ratio === undefined ? [] : [[other, ratio] as const];
  });
  return {
    seconds: spreadOf(own.flatMap(({ seconds }) => seconds)),
    ratios: Object.fromEntries(ratios),
    cpuSeconds: averageOf(own.map(({ cpuSeconds }) => cpuSeconds)),
    ...(events.length > 0 ? { historyEvents: spreadOf(events) } : {}),
  };
}

function summariseIdling(own: readonly IdleTurn[]): Partial<EngineSummary> {
  const shares = own.map(({ cpuSeconds, windowSeconds }) =>
    cpuSeconds === null ? null : scale(cpuSeconds, 1 / windowSeconds),
  );
  const runs = own.flatMap(({ openRuns }) => (openRuns === undefined ? [] : [openRuns]));
  return {
    cpuShare: highest(shares),
    ...(runs.length > 0 ? { openRuns: Math.max(...runs) } : {}),
  };
}

/**
 * Compares within each round, where both had the same machine to themselves, and only then over all
 * rounds.
 * Example: 2.2 s against 2.0 s, then 4.4 s against 4.0 s on a machine that got busy -> 1.1
 */
export function computeRatio(
  own: readonly RolloutTurn[],
  other: readonly RolloutTurn[],
): number | undefined {
  const ratios = own.flatMap(({ round, seconds }) => {
    const rival = other.find((turn) => turn.round === round);
    return rival === undefined ? [] : [medianOf(seconds) / medianOf(rival.seconds)];
  });
  return ratios.length > 0 ? medianOf(ratios) : undefined;
}

function spreadOf(values: readonly number[]): Spread {
  return { median: medianOf(values), least: Math.min(...values), most: Math.max(...values) };
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** Of each process on its own: their peaks need not have come together. */
function highest(all: readonly (Shares | null)[]): Shares | null {
  const known = all.filter((shares) => shares !== null);
  if (known.length === 0) return null;
  const temporals = known.flatMap(({ temporal }) => (temporal === undefined ? [] : [temporal]));
  return {
    engine: Math.max(...known.map(({ engine }) => engine)),
    ...(temporals.length > 0 ? { temporal: Math.max(...temporals) } : {}),
  };
}

const scale = ({ engine, temporal }: Shares, factor: number): Shares => ({
  engine: engine * factor,
  ...(temporal === undefined ? {} : { temporal: temporal * factor }),
});
