import { describe, expect, test } from '@jest/globals';

import type { CanaryStage } from '../../../src/domain/deployment-config/canary-strategy.js';
import { canaryStart, walkCanaries } from '../../support/walk-canaries.js';

/*
 * Each test goes through all states that can be reached; `walk-canaries.ts` tells what is promised: never
 * fewer pods available than a quarter under the size, never more asked for than a quarter over it, and
 * every way ends.
 */

const stage = (size: number | string, over: Partial<CanaryStage> = {}): CanaryStage => ({
  size,
  pauseSeconds: 0,
  needsApproval: false,
  isComparison: false,
  metrics: [],
  ...over,
});

const metric = { name: 'errors', max: 1, intervalSeconds: 5, count: 2 };
const waiting = [
  stage('10%', { pauseSeconds: 30 }),
  stage(2, { needsApproval: true, metrics: [metric] }),
];

describe('a canary', () => {
  test.each([0, 1, 2, 3, 4, 5, 8])('of %i pods', (replicas) => {
    expect(walkCanaries(waiting, canaryStart(replicas, 0), { count: 0 })).toBeGreaterThan(10);
  });

  test.each([1, 2, 4])('of %i pods whose last step is all of them', (replicas) => {
    const stages = [stage(1), stage('100%', { pauseSeconds: 1 })];
    expect(walkCanaries(stages, canaryStart(replicas, 0), { count: 0 })).toBeGreaterThan(10);
  });

  test.each([1, 2, 3])('of %i pods that overtakes another one', (replicas) => {
    for (let pods = 1; pods <= replicas; pods += 1) {
      for (const areWell of [true, false]) {
        const start = canaryStart(replicas, 0, { pods, areWell });
        expect(walkCanaries([stage('50%')], start, { count: 0 })).toBeGreaterThan(10);
      }
    }
  });

  test.each([
    [1, 2, [2]],
    [2, 2, [1]],
    [2, 1, [0, 1, 3, 4]],
    [4, 1, [1, 5]],
  ])('of %i pods that is disturbed %i times', (replicas, count, sizes) => {
    const disturbances = { count, sizes, sickness: true, pauses: true };
    const start = canaryStart(replicas, count);
    expect(walkCanaries([stage('50%')], start, disturbances)).toBeGreaterThan(100);
  });

  test('whose steps fall, which is allowed between counts and shares', () => {
    const stages = [stage(3), stage('25%'), stage(4)];
    expect(walkCanaries(stages, canaryStart(4, 0), { count: 0 })).toBeGreaterThan(100);
  });
});

test.each([
  [2, 2],
  [4, 1],
])('a comparison of %i pods, disturbed %i times', (replicas, count) => {
  const stages = [stage('25%', { isComparison: true })];
  const disturbances = { count, sizes: [1, 3], sickness: true };
  expect(walkCanaries(stages, canaryStart(replicas, count), disturbances)).toBeGreaterThan(100);
});
