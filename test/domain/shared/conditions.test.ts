import { describe, expect, test } from '@jest/globals';

import { setCondition, toTimestamp } from '../../../src/domain/shared/conditions.js';

const firstMs = Date.parse('2026-01-01T00:00:00.900Z');
const laterMs = firstMs + 60_000;
const change = { type: 'Available', status: 'True', reason: 'Yes', message: 'it is' } as const;

test('times are in whole seconds', () => {
  expect(toTimestamp(firstMs)).toBe('2026-01-01T00:00:00Z');
});

describe('setting a condition', () => {
  const once = setCondition([], change, firstMs);

  test('the same again leaves everything as it is', () => {
    expect(setCondition(once, { ...change, message: 'still' }, laterMs)).toBe(once);
  });

  test('a refresh moves the update time alone', () => {
    expect(setCondition(once, change, laterMs, true)[0]).toMatchObject({
      lastUpdateTime: toTimestamp(laterMs),
      lastTransitionTime: toTimestamp(firstMs),
    });
  });

  test('another reason moves the update time alone', () => {
    expect(setCondition(once, { ...change, reason: 'Other' }, laterMs)[0]).toMatchObject({
      lastUpdateTime: toTimestamp(laterMs),
      lastTransitionTime: toTimestamp(firstMs),
    });
  });

  test('another status moves both times', () => {
    expect(setCondition(once, { ...change, status: 'False' }, laterMs)[0]).toMatchObject({
      lastTransitionTime: toTimestamp(laterMs),
    });
  });

  test('others stay', () => {
    const both = setCondition(once, { ...change, type: 'Progressing' }, laterMs);
    expect(both.map(({ type }) => type)).toEqual(['Available', 'Progressing']);
  });
});
