import { describe, expect, test } from '@jest/globals';

import type { DeploymentConfig } from '../../../src/kubernetes/deployment-configs/objects.js';
import {
  asksForVersion,
  readConfigBody,
} from '../../../src/worker/http/deployment-configs/check-config.js';
import { HttpProblem } from '../../../src/worker/http/problem.js';

const key = { namespace: 'shop', name: 'web' };
const metadata = { name: 'web', namespace: 'shop', resourceVersion: '7' };

describe('a body', () => {
  test('is taken as it is, with what is not looked at', () => {
    const body = { metadata: { ...metadata, labels: { a: 'b' } }, spec: { unknown: 1 } };
    expect(readConfigBody(body, key)).toBe(body);
  });

  test.each<[string, unknown, string]>([
    ['no object', 7, 'body'],
    ['no metadata', { spec: {} }, 'metadata'],
    ['no spec', { metadata }, 'spec'],
    ['another kind', { kind: 'Deployment', metadata, spec: {} }, 'kind'],
    ['another API', { apiVersion: 'apps/v1', metadata, spec: {} }, 'apiVersion'],
    ['another name', { metadata: { ...metadata, name: 'db' }, spec: {} }, 'metadata.name'],
    [
      'another place',
      { metadata: { ...metadata, namespace: 'x' }, spec: {} },
      'metadata.namespace',
    ],
    ['no resourceVersion', { metadata: { name: 'web' }, spec: {} }, 'metadata.resourceVersion'],
    [
      'an empty resourceVersion',
      { metadata: { ...metadata, resourceVersion: '' }, spec: {} },
      'metadata.resourceVersion',
    ],
    [
      'half a version',
      { metadata, spec: {}, status: { latestVersion: 1.5 } },
      'status.latestVersion',
    ],
    [
      'causes that are no list',
      { metadata, spec: {}, status: { details: { causes: 'x' } } },
      'status.details.causes',
    ],
    [
      'a cause that is none',
      { metadata, spec: {}, status: { details: { causes: [null] } } },
      'status.details.causes.0',
    ],
  ])('with %s is refused, and the field is named', (_what, body, field) => {
    const problem = problemOf(() => readConfigBody(body, key));
    expect(problem.code).toBe(422);
    expect(problem.causes[0]?.field).toBe(field);
    expect(problem.message).toMatch(new RegExp(`^${field}: `));
  });
});

describe('a version', () => {
  const config = (latestVersion?: number, causes?: unknown[]): DeploymentConfig =>
    ({
      metadata,
      spec: {},
      status: {
        ...(latestVersion === undefined ? {} : { latestVersion }),
        ...(causes === undefined ? {} : { details: { causes } }),
      },
    }) as unknown as DeploymentConfig;

  test.each<[number | undefined, number | undefined, boolean]>([
    [undefined, undefined, false],
    [undefined, 3, false],
    [3, 3, false],
    [4, 3, true],
    [1, undefined, true],
  ])('%p where %p is the latest: asked for is %p', (sent, latest, expected) => {
    expect(asksForVersion(config(sent, [{ type: 'Manual' }]), config(latest))).toBe(expected);
  });

  test.each([2, 5, 0, -1])('%p where 3 is the latest is refused', (sent) => {
    const problem = problemOf(() => asksForVersion(config(sent, [{}]), config(3)));
    expect([problem.code, problem.message]).toEqual([
      422,
      'status.latestVersion: must be 3, as it is, or 4 for a new version',
    ]);
  });

  test('needs a cause', () => {
    const problem = problemOf(() => asksForVersion(config(4, []), config(3)));
    expect(problem.causes[0]?.field).toBe('status.details.causes');
  });
});

function problemOf(act: () => unknown): HttpProblem {
  try {
    act();
  } catch (error) {
    if (error instanceof HttpProblem) return error;
    throw error;
  }
  throw new Error('it was accepted');
}
