import { describe, expect, test } from '@jest/globals';

import { isScaled, planScaling } from '../../../src/domain/deployment/plan-scaling.js';
import { deploymentSummary, newSet, replicaSet } from '../../support/observations.js';

const sizesOf = (changes: ReturnType<typeof planScaling>): Record<string, number> =>
  Object.fromEntries(changes.map(({ set, to }) => [set.name, to]));

describe('a change of size is seen', () => {
  test.each([
    ['by an active set that was sized for another', 20, { desired: 10 }, true],
    ['not when the size is the same', 10, { desired: 10 }, false],
    ['not by a set without pods', 20, { desired: 0 }, false],
  ])('%s', (_title, replicas, over, expected) => {
    expect(isScaled(deploymentSummary({ replicas }), [replicaSet(over)])).toBe(expected);
  });
});

describe('sizes are shared out', () => {
  test('a single set takes all', () => {
    const sets = [newSet({ desired: 10 }), replicaSet({ desired: 0 })];
    expect(sizesOf(planScaling(deploymentSummary({ replicas: 4 }), sets))).toEqual({
      'web-new': 4,
    });
  });

  test('two sets in mid-rollout keep their shares when it grows', () => {
    const sets = [newSet({ desired: 5 }), replicaSet({ desired: 8 })];
    const deployment = deploymentSummary({
      replicas: 30,
      strategy: { type: 'RollingUpdate', maxSurge: '25%', maxUnavailable: '25%' },
    });
    expect(sizesOf(planScaling(deployment, sets))).toEqual({ 'web-old': 23, 'web-new': 15 });
  });

  test('and when it shrinks', () => {
    const sets = [newSet({ desired: 5 }), replicaSet({ desired: 8 })];
    const sizes = sizesOf(planScaling(deploymentSummary({ replicas: 5 }), sets));
    expect(sizes).toEqual({ 'web-old': 5, 'web-new': 3 });
  });

  test('nothing is left when it shrinks to nothing', () => {
    const sets = [newSet({ desired: 5 }), replicaSet({ desired: 8 })];
    const sizes = sizesOf(planScaling(deploymentSummary({ replicas: 0 }), sets));
    expect(sizes).toEqual({ 'web-old': 0, 'web-new': 0 });
  });

  test('what is left of old sets goes when the new one has what it needs', () => {
    const sets = [
      newSet({ desired: 10, available: 10 }),
      replicaSet({ desired: 2, annotatedDesired: 12 }),
    ];
    expect(sizesOf(planScaling(deploymentSummary(), sets))).toEqual({ 'web-old': 0 });
  });

  test('a Recreate shares nothing: its next step sorts it out', () => {
    const sets = [newSet({ desired: 5, available: 5 }), replicaSet({ desired: 8 })];
    const deployment = deploymentSummary({ replicas: 20, strategy: { type: 'Recreate' } });
    expect(planScaling(deployment, sets)).toEqual([]);
  });
});
