import { expect, test } from '@jest/globals';

import { beginStay } from '../../../src/domain/deployment/begin-stay.js';
import { splitSets } from '../../../src/domain/deployment/sets.js';
import { newSet, observation, replicaSet } from '../../support/observations.js';

const begin = (over: Parameters<typeof observation>[0]) => {
  const seen = observation(over);
  return beginStay(seen, splitSets(seen));
};
const startedAt = '2026-01-01T12:00:00.000Z';

test('the first one comes from nowhere', () => {
  expect(begin({})).toEqual({ startedAt });
});

test('a new one comes from the newest before it, with who, with what and why', () => {
  const author = { by: 'ann', manager: 'slipway', reason: 'new keys' };
  const replicaSets = [
    replicaSet({ name: 'web-1', revision: 1 }),
    replicaSet({ name: 'web-2', revision: 2 }),
  ];
  expect(begin({ deployment: { author }, replicaSets })).toEqual({
    startedAt,
    from: { name: 'web-2', revision: 2 },
    by: 'ann',
    manager: 'slipway',
    reason: 'new keys',
  });
});

const back = [newSet({ revision: 1 }), replicaSet({ name: 'web-2', revision: 2 })];

test('one that is gone back to says to what', () => {
  const deployment = { author: { manager: 'kubectl-rollout' } };
  expect(begin({ deployment, replicaSets: back })).toEqual({
    startedAt,
    backTo: 1,
    from: { name: 'web-2', revision: 2 },
    manager: 'kubectl-rollout',
  });
});

test('nobody but Slipway itself goes back by itself', () => {
  const rolledBack = {
    from: 'web-2',
    to: 'web-new',
    reason: 'PodsCrash',
    message: 'Revision 2 failed; rolled back to revision 1',
  } as const;
  const author = { by: 'ann', manager: 'kubectl-edit' };
  expect(begin({ deployment: { author, rolledBack }, replicaSets: back })).toEqual({
    startedAt,
    backTo: 1,
    from: { name: 'web-2', revision: 2 },
    manager: 'slipway',
    reason: 'Revision 2 failed; rolled back to revision 1',
  });
});

test('a set that had no number is not gone back to', () => {
  expect(begin({ replicaSets: [newSet({ revision: 0 })] })).toEqual({ startedAt });
});
