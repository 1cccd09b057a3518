import { resolveIntOrPercent } from './int-or-percent.js';
import type { Strategy } from './strategy.js';

export const sum = <T>(items: readonly T[], count: (item: T) => number): number =>
  items.reduce((total, item) => total + count(item), 0);

/** What is rolled out, as far as sizes depend on it. */
export interface Sized {
  readonly replicas: number;
  readonly strategy: Strategy;
}

/** Pods that are kept at a number: a ReplicaSet, or a ReplicationController. */
export interface PodSet {
  readonly name: string;
  readonly createdAtMs: number;
  /** How many it is asked for. */
  readonly desired: number;
  readonly available: number;
}

/** How far a rolling update may go over and under the desired size. */
export interface Margins {
  readonly surge: number;
  readonly unavailable: number;
}

/**
 * Surge rounds up and outage rounds down, so that "25%" never breaks a promise. When both come to
 * nothing no pod could ever move, so one may be unavailable.
 * Example: 10 pods at 25%/25% may be 13 in all, and at least 8 of them available.
 */
export function resolveMargins({ strategy, replicas }: Sized): Margins {
  if (strategy.type === 'Recreate') return { surge: 0, unavailable: replicas };
  const surge = resolveIntOrPercent(strategy.maxSurge, replicas, 'up');
  const unavailable = resolveIntOrPercent(strategy.maxUnavailable, replicas, 'down');
  if (surge === 0 && unavailable === 0) return { surge: 0, unavailable: 1 };
  return { surge, unavailable: Math.min(unavailable, replicas) };
}

/** Pods that are available and are not about to be deleted by a shrink the status hasn't caught up with. */
export const steadilyAvailable = ({ available, desired }: PodSet): number =>
  Math.min(available, desired);
