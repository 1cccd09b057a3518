import { assert } from './assert.js';

/** As in Kubernetes: a count, or a share of a total such as "25%". */
export type IntOrPercent = number | string;

const percentPattern = /^(\d+)%$/;

/**
 * Turns a share into a count.
 * Example: "25%" of 10 is 3 rounded up and 2 rounded down.
 */
export function resolveIntOrPercent(
  value: IntOrPercent,
  total: number,
  round: 'up' | 'down',
): number {
  if (typeof value === 'number') return value;
  const percent = percentPattern.exec(value)?.[1];
  assert(percent !== undefined, `"${value}" is neither a count nor a percentage`);
  const exact = (Number(percent) * total) / 100;
  return round === 'up' ? Math.ceil(exact) : Math.floor(exact);
}
