import { expect, test } from '@jest/globals';

import { readName, readNamespace } from '../../../src/worker/http/read-name.js';

test.each(['web', 'web-1', 'a.b', '1'])('%s is a name', (name) => {
  expect(readName('name', name)).toBe(name);
});

test.each([
  '',
  '.',
  '..',
  '../secrets',
  'a/b',
  'A',
  'a b',
  '-a',
  'a-',
  'a..b',
  'a%2f',
  'ä',
  undefined,
])('%p leads nowhere', (name) => {
  expect(() => readName('name', name)).toThrow(/^name: must be/);
  expect(() => readNamespace(name)).toThrow(/^namespace: must be/);
});

test('a namespace has no dots and 63 letters at most', () => {
  expect(readNamespace('a'.repeat(63))).toHaveLength(63);
  expect(() => readNamespace('a'.repeat(64))).toThrow();
  expect(() => readNamespace('a.b')).toThrow();
});
