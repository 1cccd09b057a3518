import { expect, test } from '@jest/globals';

import {
  readRepositorySpec,
  readRepositoryStatus,
} from '../../../src/kubernetes/image-repositories/read-repository.js';

test('what is null is absent', () => {
  const spec = { repository: 'quay.io/app', tags: null, intervalSeconds: null };
  expect(readRepositorySpec({ spec })).toEqual({ repository: 'quay.io/app' });
  expect(readRepositoryStatus({ status: null })).toEqual({ tags: [], conditions: [] });
});

test('a tag without its image is none', () => {
  const resolved = {
    tag: 'v1',
    image: 'quay.io/app@sha256:1',
    digest: 'sha256:1',
    resolvedAt: '2026-01-01T00:00:00Z',
  };
  const lastCheckedAt = '2026-01-01T00:01:00Z';
  const status = { tags: [resolved, { tag: 'v2' }], lastCheckedAt };
  expect(readRepositoryStatus({ status })).toEqual({
    tags: [resolved],
    conditions: [],
    lastCheckedAt,
  });
});

test('a tag of which nobody says since when keeps it so: an empty time could not be written back', () => {
  const tag = { tag: 'latest', image: 'x@sha256:a', digest: 'sha256:a' };
  expect(readRepositoryStatus({ status: { tags: [tag] } }).tags).toEqual([tag]);
});
