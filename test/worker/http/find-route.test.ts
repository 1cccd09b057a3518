import { expect, test } from '@jest/globals';

import { findRoute } from '../../../src/worker/http/find-route.js';
import { HttpProblem } from '../../../src/worker/http/problem.js';
import type { Method, Route } from '../../../src/worker/http/route.js';

const route = (method: Method, path: string): Route => ({
  method,
  path,
  operationId: `${method} ${path}`,
  summary: '',
  access: 'anyone',
  answers: {},
  handle: () => ({ code: 200, body: { text: '' } }),
});

const routes = [
  route('GET', '/things/{name}'),
  route('PUT', '/things/{name}'),
  route('GET', '/things/{namespace}/{name}'),
  route('GET', '/healthz'),
];

test.each([
  ['GET', '/healthz', 'GET /healthz', {}],
  ['GET', '/things/a', 'GET /things/{name}', { name: 'a' }],
  ['PUT', '/things/a.b', 'PUT /things/{name}', { name: 'a.b' }],
  ['GET', '/things/n/a', 'GET /things/{namespace}/{name}', { namespace: 'n', name: 'a' }],
  ['GET', '/things/a%2Fb', 'GET /things/{name}', { name: 'a/b' }],
])('%s %s is %s', (method, path, operationId, params) => {
  expect(findRoute(routes, method, path)).toMatchObject({
    kind: 'found',
    route: { operationId },
    params,
  });
});

test.each(['/', '/thing', '/things', '/things/', '/things//a', '/healthz/', '/a/b/c/d'])(
  'nothing is at %s',
  (path) => {
    expect(findRoute(routes, 'GET', path)).toEqual({ kind: 'none' });
  },
);

test('another method is told from another path', () => {
  expect(findRoute(routes, 'DELETE', '/things/a')).toEqual({
    kind: 'other-method',
    allowed: ['GET', 'PUT'],
  });
});

test('what encodes nothing is a mistake of the caller', () => {
  expect(() => findRoute(routes, 'GET', '/things/%zz')).toThrow(HttpProblem);
});
