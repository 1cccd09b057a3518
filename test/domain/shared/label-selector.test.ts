import { expect, test } from '@jest/globals';

import { formatSelector, matchesSelector } from '../../../src/domain/shared/label-selector.js';

const labels = { app: 'web', tier: 'front' };

test.each([
  [{}, true],
  [{ matchLabels: { app: 'web' } }, true],
  [{ matchLabels: { app: 'db' } }, false],
  [{ matchLabels: { app: 'web', tier: 'back' } }, false],
  [{ matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }] }, true],
  [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }, false],
  [{ matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['front'] }] }, false],
  [{ matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['a'] }] }, true],
  [{ matchExpressions: [{ key: 'app', operator: 'Exists' }] }, true],
  [{ matchExpressions: [{ key: 'zone', operator: 'Exists' }] }, false],
  [{ matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }, false],
  [{ matchExpressions: [{ key: 'zone', operator: 'DoesNotExist' }] }, true],
  [{ matchExpressions: [{ key: 'app', operator: 'Like', values: ['w'] }] }, false],
])('%j matches: %p', (selector, expected) => {
  expect(matchesSelector(selector, labels)).toBe(expected);
});

test('the text form that list calls take', () => {
  const selector = {
    matchLabels: { app: 'web' },
    matchExpressions: [
      { key: 'tier', operator: 'In', values: ['a', 'b'] },
      { key: 'zone', operator: 'NotIn', values: ['c'] },
      { key: 'old', operator: 'DoesNotExist' },
      { key: 'new', operator: 'Exists' },
    ],
  };
  expect(formatSelector(selector)).toBe('app=web,tier in (a,b),zone notin (c),!old,new');
});
