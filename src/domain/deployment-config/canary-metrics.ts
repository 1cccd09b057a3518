import { defined } from '../shared/optional.js';
import type { MetricNotes, MetricRule } from './canary-strategy.js';

/** A measurement that can't be made this many times in a row fails the version. */
export const mostTroubles = 5;

/** A number, or why there is none. */
export type MetricAnswer = { readonly value: number } | { readonly problem: string };

const isGood = ({ min, max }: MetricRule, value: number): boolean =>
  value >= (min ?? -Infinity) && value <= (max ?? Infinity);

/** What is known of a metric after one more answer. */
export function noteAnswer(
  rule: MetricRule,
  before: MetricNotes | undefined,
  answer: MetricAnswer,
  atMs: number,
): MetricNotes {
  const passed = before?.passed ?? 0;
  if ('value' in answer) {
    const { value } = answer;
    return { passed: isGood(rule, value) ? passed + 1 : 0, value, atMs, troubles: 0 };
  }
  const { problem } = answer;
  const troubles = (before?.troubles ?? 0) + 1;
  return { passed, atMs, troubles, problem, ...defined({ value: before?.value }) };
}

export const isMeasured = (rule: MetricRule, notes: MetricNotes | undefined): boolean =>
  (notes?.passed ?? 0) >= rule.count;

/** When to measure next: pods that have only just come have little to tell, so not at once. */
export function measureAtMs(
  { intervalSeconds }: MetricRule,
  notes: MetricNotes | undefined,
  reachedAtMs: number,
): number {
  return (notes?.atMs ?? reachedAtMs) + intervalSeconds * 1_000;
}

/** Why a version can't go on, if a metric says so. */
export function findMetricFailure(
  rule: MetricRule,
  notes: MetricNotes | undefined,
): string | undefined {
  if (notes === undefined) return undefined;
  const { value, troubles, problem = '' } = notes;
  if (value !== undefined && !isGood(rule, value)) {
    return `metric ${rule.name} is ${value}, which is ${describeBreach(rule, value)}`;
  }
  if (troubles < mostTroubles) return undefined;
  return `metric ${rule.name} could not be measured ${troubles} times in a row: ${problem}`;
}

const describeBreach = ({ min, max }: MetricRule, value: number): string =>
  min !== undefined && value < min ? `less than its min of ${min}` : `more than its max of ${max}`;

/** Example: metric errors (2 of 5 good, the last 0.01) */
export function describeMetric(rule: MetricRule, notes: MetricNotes | undefined): string {
  const { passed = 0, value, troubles = 0, problem = '' } = notes ?? {};
  const last = value === undefined ? '' : `, the last ${value}`;
  const trouble =
    troubles === 0 ? '' : `; it can't be measured: ${problem}, try ${troubles} of ${mostTroubles}`;
  return `metric ${rule.name} (${passed} of ${rule.count} good${last}${trouble})`;
}
