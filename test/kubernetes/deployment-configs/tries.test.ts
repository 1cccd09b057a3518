import { describe, expect, test } from '@jest/globals';

import { configAnnotations } from '../../../src/kubernetes/deployment-configs/annotations.js';
import { listTries, noteTry } from '../../../src/kubernetes/deployment-configs/tries.js';
import { version } from '../../client/support/configs.js';

const failed = {
  [configAnnotations.startedAt]: '2026-01-01T00:00:10Z',
  [configAnnotations.endedAt]: '2026-01-01T00:00:40Z',
  [configAnnotations.statusReason]: 'it made no progress',
};

/** The annotations of a failed version after it was asked for another try. */
function tryAgain(marks: Record<string, string>): Record<string, string> {
  const notes = noteTry(version(2, { phase: 'Failed', marks }));
  const after = { ...marks, ...notes };
  return Object.fromEntries(
    Object.entries(after).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}
const retry = (text: string) => ({ ...failed, [configAnnotations.retry]: text });
const read = (marks: Record<string, string>) => {
  const tries = listTries(version(2, { phase: 'New', marks }));
  return { before: tries.slice(0, -1), now: tries.at(-1) };
};

test('how a try ended is kept when there is another', () => {
  const { before, now } = read(tryAgain(retry('{"by":"ann","reason":"network is back"}')));
  expect(before).toEqual([
    {
      number: 1,
      startedAt: '2026-01-01T00:00:10Z',
      endedAt: '2026-01-01T00:00:40Z',
      endReason: 'it made no progress',
    },
  ]);
  expect(now?.retry).toEqual({ by: 'ann', reason: 'network is back' });
});

test('who cancelled it, and who wanted it, too', () => {
  const cancelled = {
    ...retry('{"by":"bob"}'),
    [configAnnotations.cancelled]: 'true',
    [configAnnotations.cancelledBy]: 'ann',
    [configAnnotations.retried]: '{"by":"carl"}',
  };
  const after = tryAgain(cancelled);
  expect(after).not.toHaveProperty([configAnnotations.cancelledBy]);
  const { before, now } = read(after);
  expect(before).toMatchObject([{ isCancelled: true, cancelledBy: 'ann', retry: { by: 'carl' } }]);
  expect(now?.retry).toEqual({ by: 'bob' });
});

describe('anybody may ask for another try in their own words', () => {
  test.each([
    ['network is back', { reason: 'network is back' }],
    ['{"by":"ann"}', { by: 'ann' }],
    ['{"by":7}', {}],
    ['', {}],
    ['true', { reason: 'true' }],
  ])('%p', (text, expected) => {
    expect(read(tryAgain(retry(text))).now?.retry).toEqual(expected);
  });
});

test('a version keeps the latest ten', () => {
  let marks: Record<string, string> = failed;
  for (let count = 1; count <= 12; count += 1) {
    marks = tryAgain({ ...marks, ...retry(`try ${count}`) });
  }
  const { before, now } = read(marks);
  expect(before).toHaveLength(10);
  expect(before.at(-1)?.retry).toEqual({ reason: 'try 11' });
  // The first was of nobody's asking, so that the twelfth wish made the thirteenth.
  expect([...before, now].map((one) => one?.number)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
});

test('tries without a number, which an older worker has written, come after those before them', () => {
  const numbersOf = (list: object[]) => {
    const { before, now } = read({ [configAnnotations.tries]: JSON.stringify(list) });
    return [...before, now].map((one) => one?.number);
  };
  expect(numbersOf([{}, {}])).toEqual([1, 2, 3]);
  expect(numbersOf([{ number: 4 }, {}])).toEqual([4, 5, 6]);
});

test.each(['spoilt', '{}', '[7, null]'])('of %s nothing is read', (text) => {
  expect(read({ [configAnnotations.tries]: text }).before).toEqual([]);
});

test('a first try is of nobody’s asking', () => {
  expect(read({})).toEqual({ before: [], now: { number: 1 } });
});
