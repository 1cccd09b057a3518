import { describe, expect, test } from '@jest/globals';

import {
  compareValues,
  containsValue,
  equalValues,
} from '../../../src/client/output/compare-values.js';

describe('compareValues', () => {
  test('names the smallest parts that differ', () => {
    const from = { a: { image: 'x', 'b.c/d': 1 }, list: [1, 2], gone: true };
    const to = { a: { image: 'y', 'b.c/d': 2 }, list: [1, 3, 4] };
    expect(compareValues(from, to)).toEqual([
      { path: 'a.image', from: 'x', to: 'y' },
      { path: 'a["b.c/d"]', from: 1, to: 2 },
      { path: 'list[1]', from: 2, to: 3 },
      { path: 'list[2]', to: 4 },
      { path: 'gone', from: true },
    ]);
  });

  test('a list is not a map, and null is not nothing', () => {
    expect(equalValues([], {})).toBe(false);
    expect(equalValues({ a: null }, {})).toBe(false);
  });

  test('the order of keys and undefined fields make no difference', () => {
    expect(equalValues({ a: 1, b: 2 }, { b: 2, a: 1, c: undefined })).toBe(true);
  });
});

describe('containsValue', () => {
  test.each([
    [{ a: 1, b: { c: 2, d: 3 } }, { b: { c: 2 } }, true],
    [{ a: 1 }, { a: 2 }, false],
    [{ list: [{ a: 1, b: 2 }] }, { list: [{ a: 1 }] }, true],
    [{ list: [1, 2] }, { list: [1] }, false],
    [{ list: [] }, { list: {} }, false],
    [undefined, { a: 1 }, false],
    ['x', 'x', true],
  ])('%j contains %j: %s', (whole, part, expected) => {
    expect(containsValue(whole, part)).toBe(expected);
  });
});
