import { expect, test } from '@jest/globals';

import {
  ApiError,
  isConflict,
  isInvalid,
  isNotFound,
  UnreachableError,
} from '../../src/kubernetes/api-error.js';

test("the server's own sentence is kept, and nothing else of the body", () => {
  const body = {
    message: 'no such thing',
    reason: 'NotFound',
    details: { causes: [] },
    secret: 's3',
  };
  const error = ApiError.fromBody(404, JSON.stringify(body));
  expect(error).toMatchObject({ code: 404, reason: 'NotFound', message: 'no such thing' });
  expect(JSON.stringify(error)).not.toContain('s3');
  expect(isNotFound(error)).toBe(true);
});

test('a body that is no Status is cut short', () => {
  expect(ApiError.fromBody(502, 'x'.repeat(5_000)).message).toHaveLength(300);
  expect(ApiError.fromBody(502, '').message).toBe('the server answered 502');
});

test('a conflict and a name that is taken are told apart', () => {
  expect(isConflict(new ApiError(409, 'Conflict', ''))).toBe(true);
  expect(isConflict(new ApiError(409, 'AlreadyExists', ''))).toBe(false);
});

test('what server-side apply calls an internal error is bad input', () => {
  const message =
    'failed to create typed patch object (x): .spec.replcas: field not declared in schema';
  expect(isInvalid(new ApiError(500, 'Unknown', message))).toBe(true);
  expect(isInvalid(new ApiError(500, 'Unknown', 'etcd is gone'))).toBe(false);
});

test('an unreachable cluster is named, with the reason in words', () => {
  const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  expect(new UnreachableError('https://127.0.0.1:1', cause).message).toBe(
    "the cluster at https://127.0.0.1:1 can't be reached: the connection was refused",
  );
});
