import { expect, test } from '@jest/globals';

import { carryOut } from '../../src/activities/carry-out.js';
import { ApiError } from '../../src/kubernetes/api-error.js';

const seen = { deployment: '5', replicaSets: { a: '4' } };
const answer = (error: Error) =>
  carryOut(seen, 'write', (versions) => {
    versions.note({ uid: 'b', version: '6' });
    return Promise.reject(error);
  });
const versions = { deployment: '5', replicaSets: { a: '4', b: '6' } };

/** As an apiserver says it. */
const terminating = ApiError.fromBody(
  403,
  JSON.stringify({
    reason: 'Forbidden',
    message: 'pods "x" is forbidden: unable to create new content in namespace shop',
    details: { causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }] },
  }),
);

test.each<[string, Error, object]>([
  ['somebody was faster', new ApiError(409, 'Conflict', 'x'), { kind: 'stale' }],
  ['it is there already', new ApiError(409, 'AlreadyExists', 'x'), { kind: 'stale' }],
  ['it is gone', new ApiError(404, 'NotFound', 'x'), { kind: 'stale' }],
  ['it is wrong', new ApiError(422, 'Invalid', 'x'), { kind: 'refused', problem: 'x' }],
  [
    'it is not allowed',
    new ApiError(403, 'Forbidden', 'x'),
    { kind: 'refused', problem: 'x', mayPass: true },
  ],
  ['its namespace is being deleted', terminating, { kind: 'ending' }],
])('what is written is told of, and that %s', async (_what, error, expected) => {
  expect(await answer(error)).toEqual({ ...expected, versions });
});

test('whatever else fails is tried again', async () => {
  await expect(answer(new ApiError(500, 'InternalError', 'no'))).rejects.toMatchObject({
    message: 'write: no',
    nonRetryable: false,
  });
});
