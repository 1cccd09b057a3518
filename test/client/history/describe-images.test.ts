import { expect, test } from '@jest/globals';

import { describeImages } from '../../../src/client/history/describe-images.js';

const digest = (letter: string): string => `@sha256:${letter.repeat(64)}`;

test.each<[string, string[] | null, string[], string]>([
  ['a first one', null, ['example.com/shop/web:1'], 'web:1'],
  ['another tag', ['example.com/web:1'], ['example.com/web:2'], 'web:1 → :2'],
  ['another image', ['web:1'], ['shop:1'], 'web:1 → shop:1'],
  ['an image without a tag', ['web:1'], ['web'], 'web:1 → web'],
  ['another registry', ['a.example.com/web:1'], ['b.example.com/web:2'], 'web:1 → :2'],
  ['a port', ['localhost:5000/web:1'], ['localhost:5000/web:2'], 'web:1 → :2'],
  ['digests', [`web${digest('a')}`], [`web${digest('b')}`], 'web@aaaaaaaaaaaa → @bbbbbbbbbbbb'],
  ['a tag that became a digest', ['web:1'], [`web${digest('b')}`], 'web:1 → @bbbbbbbbbbbb'],
  ['only what has changed', ['web:1', 'proxy:7'], ['web:2', 'proxy:7'], 'web:1 → :2'],
  ['several', ['web:1', 'proxy:7'], ['web:2', 'proxy:8'], 'web:1 → :2, proxy:7 → :8'],
  ['the same', ['web:1', 'proxy:7'], ['web:1', 'proxy:7'], 'web:1, proxy:7'],
  ['one more container', ['web:1'], ['web:1', 'proxy:7'], 'web:1 → web:1, proxy:7'],
])('%s', (_title, before, images, expected) => {
  expect(describeImages({ from: { revision: 1, images: before }, images })).toBe(expected);
});

test('without anything before', () => {
  expect(describeImages({ from: null, images: ['web:1'] })).toBe('web:1');
});
