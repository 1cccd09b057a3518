import { expect, test } from '@jest/globals';

import { resolveIntOrPercent } from '../../../src/domain/shared/int-or-percent.js';

test.each([
  [3, 10, 'up', 3],
  ['25%', 10, 'up', 3],
  ['25%', 10, 'down', 2],
  ['0%', 10, 'up', 0],
  ['100%', 7, 'down', 7],
  ['1%', 1, 'up', 1],
  ['1%', 1, 'down', 0],
] as const)('%p of %i rounded %s is %i', (value, total, round, expected) => {
  expect(resolveIntOrPercent(value, total, round)).toBe(expected);
});

test('a text that is no percentage is a broken promise', () => {
  expect(() => resolveIntOrPercent('many', 10, 'up')).toThrow('"many" is neither');
});
