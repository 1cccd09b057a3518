import { describe, expect, test } from '@jest/globals';

import { isPassing, watchObjects, type ObjectWatch } from '../../src/client/watch-objects.js';
import { ApiError, UnreachableError } from '../../src/kubernetes/api-error.js';
import type { KubernetesObject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import {
  changed,
  ScriptedClient,
  type ListStep,
  type WatchStep,
} from './support/scripted-client.js';
import { deployment } from './support/objects.js';

const away = new UnreachableError(
  'https://x',
  Object.assign(new Error(), { code: 'ECONNREFUSED' }),
);
const notServed = ApiError.fromBody(404, '404 page not found');
const [a, b] = [deployment({ name: 'a' }), deployment({ name: 'b' })];

interface Seen {
  readonly names: string[][];
  readonly troubles: (string | undefined)[];
}

/** Watches until the pictures are as many as expected, or it ends by itself. */
async function see(
  client: ScriptedClient,
  pictures: number,
  more: Partial<ObjectWatch<KubernetesObject>> = {},
): Promise<Seen> {
  const over = new AbortController();
  const seen: Seen = { names: [], troubles: [] };
  await watchObjects({
    client,
    type: resources.builtInDeployments,
    signal: over.signal,
    onChange: (objects) => {
      seen.names.push([...objects.values()].map(({ metadata }) => metadata.name));
      if (seen.names.length >= pictures) over.abort();
    },
    onTrouble: (sentence) => seen.troubles.push(sentence),
    ...more,
  });
  return seen;
}

const script = (lists: ListStep[], watches?: WatchStep[]) => new ScriptedClient(lists, watches);

describe('watchObjects', () => {
  test('lists, then keeps up with what is added, changed and deleted', async () => {
    const client = script(
      [[a]],
      [
        [
          changed('ADDED', b),
          changed('BOOKMARK', a),
          changed('MODIFIED', a),
          changed('DELETED', b),
        ],
      ],
    );
    expect((await see(client, 4)).names).toEqual([['a'], ['a', 'b'], ['a', 'b'], ['a']]);
  });

  test('objects of a list are told what they are', async () => {
    const bare = { ...a };
    delete bare.apiVersion;
    delete bare.kind;
    let kind: string | undefined;
    const over = new AbortController();
    await watchObjects({
      client: script([[bare]]),
      type: resources.slipwayDeployments,
      signal: over.signal,
      onChange: (objects) => {
        kind = [...objects.values()].map((one) => `${one.apiVersion ?? ''} ${one.kind ?? ''}`)[0];
        over.abort();
      },
    });
    expect(kind).toBe('slipway.dev/v1alpha1 Deployment');
  });

  test('a stream that ends is taken up where it ended', async () => {
    const client = script([[a]], [[changed('ADDED', b, '42')], [changed('DELETED', a, '43')]]);
    expect((await see(client, 3)).names).toEqual([['a'], ['a', 'b'], ['b']]);
    expect(client.watched.map(({ resourceVersion }) => resourceVersion)).toEqual(['1', '42']);
    expect(client.listed).toHaveLength(1);
  });

  test('a history that is too old is listed anew, without a word', async () => {
    const gone = { type: 'ERROR', object: { code: 410, metadata: { name: '' } } } as const;
    const client = script([[a], [b]], [[gone], ['open']]);
    expect(await see(client, 2)).toEqual({ names: [['a'], ['b']], troubles: [] });
  });

  test('a cluster that goes away is waited for, and both are said once', async () => {
    const client = script([[a], away, away, [a, b]], [[away], ['open']]);
    const { names, troubles } = await see(client, 2);
    expect(names).toEqual([['a'], ['a', 'b']]);
    expect(troubles).toEqual([
      "the cluster at https://x can't be reached: the connection was refused; trying again",
      undefined,
    ]);
  });

  test('one that stays away is given up, in a sentence', async () => {
    const client = script([[a], away], [[away]]);
    await expect(see(client, 9, { giveUpAfterMs: 100 })).rejects.toThrow(
      /^the cluster at https:\/\/x can't be reached: the connection was refused, for \d+s now$/,
    );
  });

  test('one that can’t be reached to begin with is an error at once', async () => {
    const client = script([away]);
    await expect(see(client, 9)).rejects.toBe(away);
    expect(client.listed).toHaveLength(1);
  });

  test('what is forbidden is not asked for again', async () => {
    const forbidden = new ApiError(403, 'Forbidden', 'no');
    await expect(see(script([[a]], [[forbidden]]), 9)).rejects.toBe(forbidden);
  });

  test('a kind that the cluster need not have is simply empty', async () => {
    expect((await see(script([notServed]), 9, { optional: true })).names).toEqual([[]]);
    await expect(see(script([notServed]), 9)).rejects.toBe(notServed);
  });
});

test.each([
  ['a reset connection', Object.assign(new Error(), { code: 'ECONNRESET' }), true],
  ['a silent stream', Object.assign(new Error(), { code: 'UND_ERR_BODY_TIMEOUT' }), true],
  ['an overloaded server', new ApiError(429, 'TooManyRequests', ''), true],
  ['a server without etcd', new ApiError(500, 'InternalError', ''), true],
  ['a bad request', new ApiError(400, 'BadRequest', ''), false],
  ['a mistake of ours', new TypeError('x'), false],
])('%s may pass: %s', (_title, error, expected) => {
  expect(isPassing(error)).toBe(expected);
});
