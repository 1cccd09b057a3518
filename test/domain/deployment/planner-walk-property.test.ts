import { describe, expect, test } from '@jest/globals';

import type { Strategy } from '../../../src/domain/shared/strategy.js';
import type { IntOrPercent } from '../../../src/domain/shared/int-or-percent.js';
import {
  emptyCluster,
  overtakenCluster,
  settledCluster,
  type SimulatedCluster,
  type SimulatedSpec,
} from '../../support/simulated-cluster.js';
import { walkRollouts, type Disturbances } from '../../support/walk-rollouts.js';

/*
 * Each test goes through all states that can be reached, in whatever order pods come, go and get ready,
 * statuses follow and workers are killed between two writes. Every write is judged, and every way has to
 * end; `rollout-promises.ts` tells what is promised.
 */

const recreate: Strategy = { type: 'Recreate' };
const rolling = (maxSurge: IntOrPercent, maxUnavailable: IntOrPercent): Strategy => ({
  type: 'RollingUpdate',
  maxSurge,
  maxUnavailable,
});

const allMargins = [0, 1, 2].flatMap((surge) => [0, 1, 2].map((outage) => rolling(surge, outage)));
/** Some of these come to nothing at small sizes; then one pod may be unavailable. */
const shares = [
  rolling('25%', '25%'),
  rolling('10%', '0%'),
  rolling('0%', '20%'),
  rolling('50%', '50%'),
  rolling('0%', '0%'),
];

const specOf = (replicas: number, strategy: Strategy, limit = 10): SimulatedSpec => ({
  template: 0,
  replicas,
  paused: false,
  strategy,
  revisionHistoryLimit: limit,
});

/** Every division of the pods between two old sets, where those of the younger are well or not. */
function overtaken(spec: SimulatedSpec): SimulatedCluster[] {
  const middles = Array.from({ length: spec.replicas + 1 }, (_, middle) => middle);
  return middles.flatMap((middle) =>
    [true, false].map((areWell) => overtakenCluster(spec, middle, areWell)),
  );
}

/** However a rollout is torn between sizes and templates, once it is left alone few writes are enough. */
function walk(starts: readonly SimulatedCluster[], disturbances: Disturbances): number {
  const { states, mostWrites } = walkRollouts(starts, disturbances);
  const largest = Math.max(starts[0]!.spec.replicas, ...(disturbances.sizes ?? []));
  expect(mostWrites).toBeLessThanOrEqual(2 * largest + 3);
  return states;
}

function walkAll(strategies: readonly Strategy[], walkOne: (strategy: Strategy) => number): number {
  return strategies.reduce((states, strategy) => states + walkOne(strategy), 0);
}

describe('a rolling update', () => {
  test.each([0, 1, 2, 3, 4, 5])('of %i pods', (replicas) => {
    const states = walkAll([...allMargins, ...shares], (strategy) =>
      walk([settledCluster(specOf(replicas, strategy))], { count: 1, templates: [1] }),
    );
    expect(states).toBeGreaterThan(40);
  });

  test.each([1, 2])('of %i pods that overtakes another one', (replicas) => {
    const states = walkAll([...allMargins, ...shares], (strategy) =>
      walk(overtaken(specOf(replicas, strategy)), { count: 0 }),
    );
    expect(states).toBeGreaterThan(1_000);
  });

  test('of 3 pods that overtakes another one', () => {
    const margins = [rolling(1, 0), rolling(0, 1), rolling(1, 1), rolling(2, 0), rolling(0, 2)];
    const states = walkAll(margins, (strategy) =>
      walk(overtaken(specOf(3, strategy)), { count: 0 }),
    );
    expect(states).toBeGreaterThan(15_000);
  });

  test.each([1, 2])('of %i pods that is disturbed in its middle', (replicas) => {
    const margins = [rolling(1, 0), rolling(0, 1), rolling(1, 1)];
    const states = walkAll(margins, (strategy) =>
      walk([settledCluster(specOf(replicas, strategy, 0))], {
        count: 2,
        templates: [0, 1],
        sizes: [0, 1, 2, 3],
        pauses: true,
        sickness: true,
      }),
    );
    expect(states).toBeGreaterThan(5_000);
  });

  test('that goes back and forth and on, faster than statuses follow', () => {
    const start = settledCluster(specOf(1, rolling(1, 0)));
    expect(walk([start], { count: 4, templates: [0, 1, 2] })).toBeGreaterThan(5_000);
  });

  test('whose size goes up and down, faster than statuses follow', () => {
    const start = settledCluster(specOf(2, rolling(1, 0)));
    const disturbances = { count: 3, templates: [0, 1], sizes: [1, 2] };
    expect(walk([start], disturbances)).toBeGreaterThan(2_000);
  });
});

describe('a recreate', () => {
  test.each([0, 1, 2])('of %i pods that is disturbed', (replicas) => {
    const states = walk([settledCluster(specOf(replicas, recreate, 0))], {
      count: 3,
      templates: [0, 1, 2],
      sizes: [replicas, replicas + 1],
      pauses: true,
      sickness: true,
    });
    expect(states).toBeGreaterThan(1_000);
  });

  test('that becomes a rolling update, or was one', () => {
    const strategies = [recreate, rolling(1, 0)];
    const disturbances = { count: 3, templates: [0, 1], sizes: [1, 2], strategies };
    const starts = strategies.map((strategy) => settledCluster(specOf(1, strategy)));
    expect(walk(starts, disturbances)).toBeGreaterThan(5_000);
  });
});

test.each([recreate, rolling(1, 1)])('a first rollout by $type', (strategy) => {
  const disturbances = { count: 1, templates: [1], sizes: [0, 2], pauses: true, sickness: true };
  let states = 0;
  for (const replicas of [0, 1, 2, 3]) {
    states += walk([emptyCluster(specOf(replicas, strategy, 0))], disturbances);
  }
  expect(states).toBeGreaterThan(500);
});
