import { expect, test } from '@jest/globals';

import {
  compareRevisions,
  highestRevision,
  nextRevision,
  readRevision,
} from '../../../src/domain/shared/revision.js';

const large = '3546343826724305832';

test('a revision of up to 64 bits stays exact', () => {
  expect(readRevision('7')).toBe(7);
  expect(readRevision(large)).toBe(large);
  expect(nextRevision(7)).toBe(8);
  expect(nextRevision(large)).toBe('3546343826724305833');
  expect(nextRevision(Number.MAX_SAFE_INTEGER)).toBe('9007199254740992');
});

test('revisions are compared as numbers, whatever they are kept as', () => {
  expect(compareRevisions(9, 10)).toBeLessThan(0);
  expect(compareRevisions(large, 10)).toBeGreaterThan(0);
  expect(compareRevisions(large, '3546343826724305833')).toBeLessThan(0);
  expect(compareRevisions(5, 5)).toBe(0);
  expect(highestRevision([3, large, 20])).toBe(large);
  expect(highestRevision([])).toBe(0);
});
