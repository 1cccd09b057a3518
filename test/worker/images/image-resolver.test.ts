import { describe, expect, test } from '@jest/globals';

import type { RegistryAnswer } from '../../../src/domain/images/registry-answer.js';
import { ApiError } from '../../../src/kubernetes/api-error.js';
import type { ConfigKey } from '../../../src/kubernetes/deployment-configs/config-view.js';
import type { ImageRepository } from '../../../src/kubernetes/image-repositories/objects.js';
import type { Change } from '../../../src/kubernetes/shared-watch.js';
import {
  ImageResolver,
  type ImageResolverOptions,
} from '../../../src/worker/watch/images/image-resolver.js';
import { waitFor } from '../../support/wait-for.js';

const digest = (digit: string): string => `sha256:${digit.repeat(64)}`;
const found = (digit: string): RegistryAnswer => ({ kind: 'found', digest: digest(digit) });

const fresh = (tags: string[] = ['latest']): ImageRepository => ({
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: 'web-uid',
    generation: 1,
    resourceVersion: '1',
  },
  spec: { repository: 'quay.io/web', tags, intervalSeconds: 3_600 },
});

/** A cluster with one repository, whose watch brings what was written when the test says so. */
function setUp(repository: ImageRepository, answer: (tag: string) => RegistryAnswer) {
  const asked: string[] = [];
  const warnings: unknown[] = [];
  const stop = new AbortController();
  let [stored, seen] = [repository, repository as ImageRepository | undefined];
  let version = 1;
  let onRepository: (change: Change<ImageRepository>) => void = () => undefined;
  let onConfig: (key: ConfigKey) => void = () => undefined;
  let triggers: object[] = [];
  const failures: Error[] = [];
  const write = (change: Partial<ImageRepository>): ImageRepository => {
    version += 1;
    const metadata = { ...stored.metadata, ...change.metadata, resourceVersion: String(version) };
    stored = { ...stored, ...change, metadata };
    return stored;
  };
  const client = {
    get: () => Promise.resolve(stored),
    patch: (...[, , , , body]: unknown[]) => {
      const failure = failures.shift();
      if (failure !== undefined) return Promise.reject(failure);
      const { metadata, status } = body as ImageRepository;
      return metadata.resourceVersion === stored.metadata.resourceVersion
        ? Promise.resolve(write({ status: status ?? {} }))
        : Promise.reject(new ApiError(409, 'Conflict', 'it was changed'));
    },
  };
  const view = {
    keys: () => [].values(),
    get: () => ({ spec: { triggers } }),
    onChange: (listener: typeof onConfig) => {
      onConfig = listener;
      return () => undefined;
    },
    repositories: {
      all: () => (seen === undefined ? [] : [seen]),
      get: () => seen,
      subscribe: (listener: typeof onRepository) => {
        onRepository = listener;
        return () => undefined;
      },
    },
  };
  const resolver = new ImageResolver({
    cluster: 'local',
    client,
    view,
    events: { record: () => undefined },
    logger: { warn: (...words: unknown[]) => warnings.push(words) },
    signal: stop.signal,
    registry: {
      resolveTag: (_name: unknown, tag: string) => {
        asked.push(tag);
        // Whoever asks without end gets no answer, so that the test can say so.
        return asked.length > 20 ? new Promise(() => undefined) : Promise.resolve(answer(tag));
      },
      close: () => Promise.resolve(),
    },
  } as unknown as ImageResolverOptions);
  resolver.start();
  const bring = (): void => {
    const previous = seen;
    seen = stored;
    onRepository({ kind: 'set', object: stored, previous });
  };
  return {
    asked,
    warnings,
    failures,
    resolver,
    bring,
    status: () => stored.status,
    version: () => version,
    change: (change: Partial<ImageRepository>) => {
      write(change);
      bring();
    },
    push: (tag: string, at: string) => {
      const annotations = { 'slipway.dev/pushed': JSON.stringify({ tag, at }) };
      write({ metadata: { ...stored.metadata, annotations } });
      bring();
    },
    name: (tag: string) => {
      triggers = [
        {
          type: 'ImageChange',
          imageChangeParams: { containerNames: ['web'], from: { name: `web:${tag}` } },
        },
      ];
      onConfig({ namespace: 'shop', name: 'web' });
    },
    remove: () => {
      seen = undefined;
      onRepository({ kind: 'deleted', object: stored });
    },
  };
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
};

describe('a repository', () => {
  test('is asked for once when it appears, however late the watch is', async () => {
    const { asked, status, bring, resolver } = setUp(fresh(), () => found('a'));
    await settle();
    expect(asked).toEqual(['latest']);
    expect(status()).toMatchObject({
      observedGeneration: 1,
      tags: [{ tag: 'latest', digest: digest('a') }],
    });
    bring();
    await settle();
    expect(asked).toEqual(['latest']);
    resolver.stop();
  });

  test('is asked for again when its spec changes, and is not written without need', async () => {
    const { asked, bring, change, version, resolver } = setUp(fresh(), () => found('a'));
    await settle();
    bring();
    const before = version();
    const metadata = { ...fresh().metadata, generation: 2 };
    change({ metadata, spec: { ...fresh().spec, insecure: true } });
    await settle();
    expect(asked).toEqual(['latest', 'latest']);
    // Once by the test, once because the new generation was seen.
    expect(version()).toBe(before + 2);
    bring();
    await settle();
    expect(version()).toBe(before + 2);
    resolver.stop();
  });

  test('is asked for a tag that a config names', async () => {
    const { asked, bring, name, status, resolver } = setUp(fresh([]), () => found('a'));
    await settle();
    expect(asked).toEqual([]);
    bring();
    name('v2');
    await settle();
    expect(asked).toEqual(['v2']);
    expect(status()?.tags).toMatchObject([{ tag: 'v2' }]);
    resolver.stop();
  });

  test('is asked for the tag that was pushed, then for all', async () => {
    let digit = 'a';
    const { asked, bring, push, status, resolver } = setUp(fresh(['a', 'b']), () => found(digit));
    await settle();
    bring();
    digit = 'b';
    push('b', '2026-01-01T00:00:00Z');
    await settle();
    expect(asked).toEqual(['a', 'b', 'b']);
    bring();
    await settle();
    expect(asked).toEqual(['a', 'b', 'b', 'a', 'b']);
    expect(status()?.tags?.map((tag) => tag.digest)).toEqual([digest('b'), digest('b')]);
    resolver.stop();
  });

  test('that is gone is asked for no more', async () => {
    const { asked, bring, remove, name, resolver } = setUp(fresh(), () => found('a'));
    await settle();
    bring();
    remove();
    name('v2');
    await settle();
    expect(asked).toEqual(['latest']);
    resolver.stop();
  });

  test('has its answers written although somebody else wrote first', async () => {
    const { bring, failures, status, resolver } = setUp(fresh(), () => found('a'));
    failures.push(new ApiError(409, 'Conflict', 'it was changed'));
    await settle();
    bring();
    expect(status()?.tags).toHaveLength(1);
    resolver.stop();
  });

  test('that could not be written is tried again, but not at once', async () => {
    const { asked, failures, warnings, bring, resolver } = setUp(fresh(), () => found('a'));
    failures.push(new ApiError(500, 'InternalError', 'broken'));
    await waitFor('it is told of', () => (warnings.length > 0 ? true : undefined));
    bring();
    await settle();
    expect(asked).toEqual(['latest']);
    resolver.stop();
  });
});

test('what is stopped asks for nothing and writes nothing', async () => {
  const { asked, version, bring, resolver } = setUp(fresh(), () => found('a'));
  resolver.stop();
  await settle();
  bring();
  await settle();
  expect(version()).toBe(1);
  expect(asked.length).toBeLessThanOrEqual(1);
});
