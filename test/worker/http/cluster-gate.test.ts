import { describe, expect, test } from '@jest/globals';

import { ApiError, UnreachableError } from '../../../src/kubernetes/api-error.js';
import type { KubernetesClient } from '../../../src/kubernetes/client.js';
import type { ResourceType } from '../../../src/kubernetes/resources.js';
import { ClusterGate, type Right } from '../../../src/worker/http/caller/cluster-gate.js';
import { HttpProblem } from '../../../src/worker/http/problem.js';
import type { ApiRequest } from '../../../src/worker/http/route.js';

const right: Right = {
  verb: 'get',
  group: 'apps.openshift.io',
  resource: 'deploymentconfigs',
  namespace: 'shop',
  name: 'web',
};
const ann = { username: 'ann', uid: '7', groups: ['staff'], extra: { 'example.com/a': ['b'] } };

/** A cluster that answers reviews by rules of the test, and keeps what it was asked. */
function open(answer: (kind: string, spec: Record<string, unknown>) => unknown) {
  const asked: { kind: string; spec: Record<string, unknown> }[] = [];
  const review = ({ kind }: ResourceType, spec: object): Promise<unknown> => {
    const known = spec as Record<string, unknown>;
    asked.push({ kind, spec: known });
    return Promise.resolve().then(() => answer(kind, known));
  };
  const gate = new ClusterGate({ review } as Pick<KubernetesClient, 'review'>);
  const notes: Record<string, string> = {};
  const admit = (authorization: string | undefined, wanted: Right = right) =>
    gate.admit(
      {
        id: '1',
        params: {},
        query: {},
        authorization,
        signal: new AbortController().signal,
        json: () => Promise.resolve(undefined),
        note: (fields) => Object.assign(notes, fields),
      } satisfies ApiRequest,
      wanted,
    );
  return { asked, notes, admit };
}

const usual = (kind: string, spec: Record<string, unknown>): unknown => {
  if (kind === 'TokenReview') {
    return spec['token'] === 'good' ? { authenticated: true, user: ann } : { error: 'no such' };
  }
  const { verb } = spec['resourceAttributes'] as Right;
  return { allowed: verb === 'get' };
};

async function problemOf(admitting: Promise<unknown>): Promise<HttpProblem> {
  const problem: unknown = await admitting.catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(HttpProblem);
  return problem as HttpProblem;
}

describe('the cluster', () => {
  test('is asked who calls and whether they may, with all that it knows of them', async () => {
    const { asked, notes, admit } = open(usual);
    expect(await admit('Bearer good')).toMatchObject({ username: 'ann' });
    expect(asked).toEqual([
      { kind: 'TokenReview', spec: { token: 'good' } },
      {
        kind: 'SubjectAccessReview',
        spec: {
          user: 'ann',
          uid: '7',
          groups: ['staff'],
          extra: { 'example.com/a': ['b'] },
          resourceAttributes: { ...right, version: '*' },
        },
      },
    ]);
    expect(notes).toEqual({ user: 'ann' });
  });

  test('is asked once for the same within a moment, and anew for anything else', async () => {
    const { asked, admit } = open(usual);
    await admit('Bearer good');
    await admit('Bearer good');
    expect(asked).toHaveLength(2);
    await admit('Bearer good', { ...right, name: 'db' });
    expect(asked).toHaveLength(3);
    await problemOf(admit('Bearer other'));
    expect(asked).toHaveLength(4);
  });

  test.each([undefined, '', 'Bearer', 'Bearer  ', 'Basic YTpi', 'good'])(
    'is not asked of %p, which is no token',
    async (authorization) => {
      const { asked, admit } = open(usual);
      const { code, reason, headers } = await problemOf(admit(authorization));
      expect([code, reason]).toEqual([401, 'Unauthorized']);
      expect(headers['www-authenticate']).toBe('Bearer realm="slipway"');
      expect(asked).toEqual([]);
    },
  );

  test('refuses a token that it does not know, which has a code of its own', async () => {
    const { code, reason, headers, message } = await problemOf(open(usual).admit('Bearer bad-one'));
    expect([code, reason]).toEqual([400, 'InvalidToken']);
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
    expect(message).not.toContain('bad-one');
  });

  test('refuses what a caller has no right to', async () => {
    const { code, message } = await problemOf(
      open(usual).admit('Bearer good', { ...right, verb: 'update' }),
    );
    expect(code).toBe(403);
    expect(message).toBe(
      'ann may not update deploymentconfigs.apps.openshift.io "web" in namespace "shop"',
    );
  });

  test.each([
    ['gone', new UnreachableError('https://a', new Error('refused'))],
    ['broken', new ApiError(500, 'InternalError', 'oh')],
    ['not letting the worker ask', new ApiError(403, 'Forbidden', 'no')],
  ])('that is %s lets nobody in, and may be asked again', async (_what, error) => {
    let isBack = false;
    const { admit } = open((kind, spec) => {
      if (isBack) return usual(kind, spec);
      throw error;
    });
    const { code, headers } = await problemOf(admit('Bearer good'));
    expect([code, headers['retry-after']]).toEqual([503, '2']);
    isBack = true;
    expect((await admit('Bearer good')).username).toBe('ann');
  });

  test('that gives no verdict on a right lets nobody do it', async () => {
    const { admit } = open((kind, spec) => (kind === 'TokenReview' ? usual(kind, spec) : {}));
    expect((await problemOf(admit('Bearer good'))).code).toBe(403);
  });

  test.each([
    ['no verdict', {}],
    ['no name', { authenticated: true, user: {} }],
  ])('that gives %s on a token lets nobody in', async (_what, status) => {
    const { code } = await problemOf(open(() => status).admit('Bearer good'));
    expect(code).toBe(400);
  });
});
