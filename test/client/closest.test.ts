import { describe, expect, test } from '@jest/globals';

import { closest, editDistance } from '../../src/client/closest.js';

describe('editDistance', () => {
  test.each([
    ['replicas', 'replicas', 0],
    ['replcas', 'replicas', 1],
    ['repilcas', 'replicas', 1],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
  ])('%s -> %s is %i', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });
});

describe('closest', () => {
  test('finds what was probably meant', () => {
    expect(closest('replcas', ['paused', 'replicas', 'selector'])).toBe('replicas');
  });

  test('does not guess when nothing is near', () => {
    expect(closest('colour', ['paused', 'replicas'])).toBeUndefined();
  });

  test('takes the nearest of several', () => {
    expect(closest('deploy', ['deploys', 'deploy', 'deployment'])).toBe('deploy');
  });
});
