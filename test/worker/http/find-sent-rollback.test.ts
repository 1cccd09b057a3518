import { expect, test } from '@jest/globals';

import type { DeploymentConfig } from '../../../src/kubernetes/deployment-configs/objects.js';
import { findSentRollback } from '../../../src/worker/http/deployment-configs/find-sent-rollback.js';

const notes = { from: 4, to: 2, config: false, application: true };
const find = (...causes: object[]) =>
  findSentRollback({ status: { details: { causes } } } as Pick<DeploymentConfig, 'status'>, 4);

test('of what was generated, with where it stands, and without a run that nobody here has begun', () => {
  const rollback = { ...notes, notes: 'too slow', run: 'made up' };
  expect(find({ type: 'Manual' }, { type: 'Rollback', by: 'robin', rollback })).toEqual({
    field: 'status.details.causes[1].rollback.to',
    notes: { ...notes, notes: 'too slow' },
  });
});

test.each([
  ['of a rollback before', { type: 'Rollback', rollback: { ...notes, from: 3 } }],
  ['of another cause', { type: 'Manual', rollback: notes }],
  ['that says nothing', { type: 'Rollback' }],
  ['that can not be read', { type: 'Rollback', rollback: { ...notes, to: 'two' } }],
])('none in what is left %s', (_what, cause) => {
  expect(find(cause)).toBeUndefined();
});

test('none without a status', () => {
  expect(findSentRollback({}, 4)).toBeUndefined();
});
