import { resolveIntOrPercent, type IntOrPercent } from '../shared/int-or-percent.js';

/** A number that a step depends on; where it is measured, only the one who measures needs to know. */
export interface MetricRule {
  readonly name: string;
  readonly min?: number;
  readonly max?: number;
  readonly intervalSeconds: number;
  /** How many answers in a row must be good. */
  readonly count: number;
}

/** A share of new pods that is held until all that it waits for is there. */
export interface CanaryStage {
  /** How many pods are new: a count, or a share such as "20%". */
  readonly size: IntOrPercent;
  readonly pauseSeconds: number;
  readonly needsApproval: boolean;
  /** Both sides are compared until somebody says which one wins. */
  readonly isComparison: boolean;
  readonly metrics: readonly MetricRule[];
}

export const winners = ['new', 'old'] as const;

export type Winner = (typeof winners)[number];

/** Somebody approves of a step. */
export interface Approval {
  /** Counted from 0. */
  readonly step: number;
  readonly by?: string;
  readonly reason?: string;
  /** Of a comparison. */
  readonly winner?: Winner;
}

/** What came of measuring one metric in the step that a version is at. */
export interface MetricNotes {
  /** Good answers in a row. */
  readonly passed: number;
  readonly value?: number;
  readonly atMs: number;
  /** Times in a row that there was no answer to judge, and why the last time. */
  readonly troubles: number;
  readonly problem?: string;
}

/** What a version remembers of its steps. */
export interface CanaryNotes {
  /** Counted from 0; past the last one, all pods are replaced. */
  readonly step: number;
  /** When the step had its size; the wait counts from then. */
  readonly reachedAtMs?: number;
  /** How long it had waited when the config was paused. */
  readonly waitedMs?: number;
  /** By their names. */
  readonly metrics: ReadonlyMap<string, MetricNotes>;
  readonly approval?: Approval;
  /** Why what is written there as an approval is none. */
  readonly approvalProblem?: string;
}

export const noCanaryNotes: CanaryNotes = { step: 0, metrics: new Map() };

/** Example: "5%" of 10 pods is 1, and 4 of 3 pods is 3. */
export function countNew({ size }: CanaryStage, replicas: number): number {
  return Math.min(replicas, Math.max(1, resolveIntOrPercent(size, replicas, 'up')));
}
