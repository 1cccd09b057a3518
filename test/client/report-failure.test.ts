import { expect, test } from '@jest/globals';

import { badInput, CommandFailure } from '../../src/client/failure.js';
import { Interrupted } from '../../src/client/interrupt.js';
import { reportFailure } from '../../src/client/report-failure.js';
import { ApiError, UnreachableError } from '../../src/kubernetes/api-error.js';
import { ClusterSettingsError } from '../../src/kubernetes/connect.js';

const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });

test.each([
  ['a failed rollout', new CommandFailure('it failed'), ['it failed'], 1],
  ['bad input', badInput('a: is wrong\nb: is wrong'), ['a: is wrong', 'b: is wrong'], 2],
  ['Ctrl-C', new Interrupted('SIGINT'), [], 130],
  ['SIGTERM', new Interrupted('SIGTERM'), [], 143],
  [
    'an unreachable cluster',
    new UnreachableError('https://x', refused),
    ["the cluster at https://x can't be reached: the connection was refused"],
    2,
  ],
  [
    'a bad kubeconfig',
    new ClusterSettingsError('context: "x" is unknown'),
    ['context: "x" is unknown'],
    2,
  ],
  ['no rights', new ApiError(403, 'Forbidden', 'no'), ['you may not do that: no'], 2],
  [
    'an invalid object',
    new ApiError(422, 'Invalid', 'no', [{ field: 'spec.x', message: 'Required value' }]),
    ['spec.x: is required'],
    2,
  ],
  [
    'a server in trouble',
    new ApiError(500, 'InternalError', 'oh\u001b[2J dear'),
    ['oh [2J dear'],
    1,
  ],
])('%s', (_title, error, sentences, exitCode) => {
  expect(reportFailure(error)).toEqual({ sentences, exitCode, isUnexpected: false });
});

test('a mistake of ours is one line too, and known as one', () => {
  expect(reportFailure(new TypeError('x is\nundefined'))).toEqual({
    sentences: ['x is undefined'],
    exitCode: 1,
    isUnexpected: true,
  });
  expect(reportFailure('thrown text').sentences).toEqual(['thrown text']);
});
