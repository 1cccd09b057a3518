import { describe, expect, test } from '@jest/globals';

import type { ReplicaSetSummary } from '../../../src/domain/deployment/observation.js';
import { planRollingStep } from '../../../src/domain/shared/plan-rolling-step.js';
import { deploymentSummary, newSet, replicaSet } from '../../support/observations.js';

function step(
  desired: number,
  surge: number,
  unavailable: number,
  fresh: Partial<ReplicaSetSummary> | undefined,
  old: readonly Partial<ReplicaSetSummary>[],
): { readonly new: number; readonly old: readonly number[] } {
  const deployment = deploymentSummary({
    replicas: desired,
    strategy: { type: 'RollingUpdate', maxSurge: surge, maxUnavailable: unavailable },
  });
  const oldSets = old.map((over, at) =>
    replicaSet({ name: `old-${at}`, createdAtMs: at, ...over }),
  );
  const { newSize, shrinks } = planRollingStep(
    deployment,
    fresh === undefined ? undefined : newSet(fresh),
    oldSets,
  );
  const sizeOf = (set: ReplicaSetSummary): number =>
    shrinks.find((shrink) => shrink.set === set)?.to ?? set.desired;
  return { new: newSize, old: oldSets.map(sizeOf) };
}

const unready = (desired: number): Partial<ReplicaSetSummary> => ({ desired, available: 0 });

describe('growth', () => {
  test.each([
    ['a first rollout goes straight to its size', 10, 3, 2, undefined, [], 10],
    ['a new set grows by the surge', 10, 3, 0, undefined, [{ desired: 10 }], 3],
    ['no surge, no growth but into what old pods leave', 10, 0, 2, undefined, [{ desired: 10 }], 2],
    ['it fills the room that old pods have left', 10, 3, 2, unready(3), [{ desired: 8 }], 5],
    ['and the room that they leave in this step', 10, 3, 2, unready(3), [{ desired: 10 }], 5],
    ['it never outgrows the Deployment', 10, 3, 2, { desired: 9 }, [{ desired: 1 }], 10],
    ['it shrinks with the Deployment', 4, 1, 1, { desired: 6 }, [], 4],
    ['an old set above the ceiling leaves no room', 5, 1, 0, unready(2), [{ desired: 6 }], 2],
  ])('%s', (_title, desired, surge, unavailable, fresh, old, expected) => {
    expect(step(desired, surge, unavailable, fresh, old).new).toBe(expected);
  });
});

describe('shrinking', () => {
  test.each([
    ['old pods go down to the floor at once', 10, 3, 2, undefined, [{ desired: 10 }], [8]],
    [
      'no outage allowed: old pods wait for new ones',
      10,
      3,
      0,
      { desired: 3, available: 0 },
      [{ desired: 10 }],
      [10],
    ],
    [
      'each available new pod frees an old one',
      10,
      3,
      0,
      { desired: 3, available: 2 },
      [{ desired: 10 }],
      [8],
    ],
    [
      'sick old pods go first',
      10,
      3,
      2,
      { desired: 3, available: 0 },
      [
        { desired: 5, available: 5 },
        { desired: 5, available: 1 },
      ],
      [5, 3],
    ],
    [
      'then healthy ones, oldest set first',
      10,
      3,
      2,
      { desired: 3, available: 3 },
      [{ desired: 5 }, { desired: 5 }],
      [0, 5],
    ],
    [
      'a stalled middle set is cleared before the healthy first one',
      10,
      3,
      2,
      { desired: 0, available: 0 },
      [{ desired: 8 }, { desired: 5, available: 0 }],
      [8, 0],
    ],
    [
      'sick pods stay when even they are needed to count',
      2,
      1,
      0,
      { desired: 1, available: 0 },
      [{ desired: 2, available: 1 }],
      [2],
    ],
    [
      'counts that lag behind a shrink are not counted twice',
      10,
      3,
      2,
      { desired: 3, available: 0 },
      [{ desired: 8, available: 10 }],
      [8],
    ],
    [
      'the last old pods go when enough new ones serve',
      10,
      3,
      2,
      { desired: 10, available: 8 },
      [{ desired: 3 }],
      [0],
    ],
  ])('%s', (_title, desired, surge, unavailable, fresh, old, expected) => {
    expect(step(desired, surge, unavailable, fresh, old).old).toEqual(expected);
  });
});
