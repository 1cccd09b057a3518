import { expect, test } from '@jest/globals';

import { computeTemplateHash, fnv1a32 } from '../../../src/domain/shared/template-hash.js';

// The published test vectors of FNV-1a, 32 bits.
test.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['foobar', 0xbf9cf968],
])('FNV-1a of %p', (text, expected) => {
  expect(fnv1a32(text)).toBe(expected);
});

const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ image: 'a' }] } };

test('the order of keys and absent values make no difference', () => {
  const spelt = {
    spec: { containers: [{ image: 'a' }], volumes: [] },
    metadata: { annotations: undefined, labels: { app: 'web' } },
  };
  expect(computeTemplateHash(spelt)).toBe(computeTemplateHash(template));
});

test('the order of a list does', () => {
  const one = { containers: [{ image: 'a' }, { image: 'b' }] };
  const other = { containers: [{ image: 'b' }, { image: 'a' }] };
  expect(computeTemplateHash(one)).not.toBe(computeTemplateHash(other));
});

test('a collision count gives the same template another hash', () => {
  const hashes = [undefined, 0, 1, 2].map((count) => computeTemplateHash(template, count));
  expect(new Set(hashes).size).toBe(4);
});

test('a hash is fit for a label and a name', () => {
  expect(computeTemplateHash(template)).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/);
});
