import { expect, test } from '@jest/globals';

import { cutTail } from '../../../src/domain/shared/cut-tail.js';

test.each([
  ['keeps what is short, without the last line break', 'one\ntwo\n', 'one\ntwo'],
  ['begins with a whole line', 'first line\nsecond\nthird', 'second\nthird'],
  ['keeps a line that just fits', 'x\n12345678901234', '12345678901234'],
  ['keeps the end of a line that is too long', 'abcdefghijklmnopqrst', 'ghijklmnopqrst'],
  ['does not part a character', '0123456789abc👍👍👍', '23456789abc👍👍👍'],
  ['makes nothing of nothing', ' \n', ''],
])('%s', (_what, text, kept) => {
  expect(cutTail(text, 14)).toBe(kept);
});

test('has room for a few lines', () => {
  const log = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');
  const lines = cutTail(log).split('\n');
  expect(lines.at(-1)).toBe('line 99');
  expect(lines[0]).toMatch(/^line \d+$/);
  expect(cutTail(log).length).toBeLessThanOrEqual(400);
  expect(lines.length).toBeGreaterThan(40);
});
