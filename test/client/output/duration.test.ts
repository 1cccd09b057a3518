import { expect, test } from '@jest/globals';

import { formatAge, formatDuration, parseDurationMs } from '../../../src/client/output/duration.js';

test.each([
  ['90s', 90_000],
  ['5m', 300_000],
  ['1h30m', 5_400_000],
  ['1.5s', 1_500],
  ['250ms', 250],
  ['2d', 172_800_000],
  ['0s', 0],
])('%s is %i ms', (text, milliseconds) => {
  expect(parseDurationMs(text)).toBe(milliseconds);
});

test.each(['', '5', '5 m', '-5m', '5minutes', 'm', '1h 30m', '1,5s'])('"%s" is none', (text) => {
  expect(parseDurationMs(text)).toBeUndefined();
});

test.each([
  [-1_000, '0s'],
  [999, '0s'],
  [59_999, '59s'],
  [60_000, '1m'],
  [75_000, '1m15s'],
  [600_000, '10m'],
  [7_199_000, '119m'],
  [7_200_000, '2h'],
  [9_000_000, '2h30m'],
  [28_800_000, '8h'],
  [100_000_000, '27h'],
  [172_800_000, '2d'],
])('%i ms are %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});

test('an age is counted from a timestamp, and unknown without one', () => {
  expect(formatAge('2026-01-01T00:00:00Z', Date.parse('2026-01-01T00:01:15Z'))).toBe('1m15s');
  expect(formatAge(undefined, 0)).toBe('-');
});
