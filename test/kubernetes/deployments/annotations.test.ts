import { expect, test } from '@jest/globals';

import {
  annotations,
  appendRevision,
  handedDownAnnotations,
  numberAnnotation,
} from '../../../src/kubernetes/deployments/annotations.js';

test('what speaks of the Deployment alone is not handed down', () => {
  const own = Object.fromEntries(Object.values(annotations).map((name) => [name, 'x']));
  expect(handedDownAnnotations({ ...own, team: 'shop' })).toEqual({
    [annotations.changeCause]: 'x',
    // So that it survives `kubectl rollout undo`, which takes a set's annotations.
    [annotations.rollbackOnFailure]: 'x',
    team: 'shop',
  });
});

test.each([
  [undefined, 1, '1'],
  ['', 1, '1'],
  ['1,3', 5, '1,3,5'],
])('revision history %p with %i is %p', (history, revision, expected) => {
  expect(appendRevision(history, revision)).toBe(expected);
});

test('a history that gets too long loses its oldest', () => {
  const long = Array.from({ length: 500 }, (_, index) => 1_000 + index).join(',');
  const history = appendRevision(long, 9_999);
  expect(history.length).toBeLessThanOrEqual(2_000);
  expect(history.endsWith(',9999')).toBe(true);
  expect(history.startsWith('1000,')).toBe(false);
});

test.each([
  ['12', 12],
  ['0', 0],
  ['-1', undefined],
  ['1e3', undefined],
  ['x', undefined],
])('annotation %p is the number %p', (text, expected) => {
  expect(numberAnnotation({ a: text }, 'a')).toBe(expected);
});
