import { expect, test } from '@jest/globals';

import { describeImages } from '../../../src/client/repositories/repository-history.js';
import { repository } from '../support/configs.js';

const digest = (letter: string): string => `sha256:${letter.repeat(64)}`;
const imageOf = (letter: string): string => `registry.example.com/shop/web@${digest(letter)}`;

test('the images of all tags, newest first', () => {
  const entries = describeImages(
    repository({
      tags: [
        {
          tag: 'latest',
          image: imageOf('c'),
          digest: digest('c'),
          resolvedAt: '2026-01-03T00:00:00Z',
          previous: imageOf('b'),
          history: [
            { digest: digest('b'), resolvedAt: '2026-01-02T00:00:00Z' },
            { digest: digest('a') },
          ],
        },
        {
          tag: 'stable',
          image: imageOf('a'),
          digest: digest('a'),
          resolvedAt: '2026-01-02T12:00:00Z',
        },
      ],
    }),
  );
  expect(
    entries.map(({ tag, current, startedAt, images, from }) => [
      tag,
      current,
      startedAt,
      images,
      from?.images,
    ]),
  ).toEqual([
    ['latest', true, '2026-01-03T00:00:00Z', [imageOf('c')], [imageOf('b')]],
    ['stable', true, '2026-01-02T12:00:00Z', [imageOf('a')], undefined],
    ['latest', false, '2026-01-02T00:00:00Z', [imageOf('b')], [imageOf('a')]],
    ['latest', false, null, [imageOf('a')], undefined],
  ]);
  expect(entries[0]).toMatchObject({
    holder: 'ImageRepository/web',
    revision: null,
    outcome: null,
    seconds: null,
    triggers: ['ImageChange'],
  });
});

test('what was resolved before there was a history knows the image before', () => {
  const tag = { tag: 'latest', image: imageOf('b'), digest: digest('b'), previous: imageOf('a') };
  const entries = describeImages(repository({ tags: [tag] }));
  expect(entries.map(({ images }) => images)).toEqual([[imageOf('b')], [imageOf('a')]]);
});

test('a tag that was never found has none, nor has a repository without a status', () => {
  expect(describeImages(repository({ tags: [{ tag: 'latest' }] }))).toEqual([]);
  expect(describeImages(repository(null))).toEqual([]);
});
