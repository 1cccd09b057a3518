import { expect, test } from '@jest/globals';

import { authorizationKey, createAuthorizations } from '../../src/registry/authorizations.js';

const password = { kind: 'password', username: 'robin', password: 'secret words' } as const;

test('is kept until shortly before its end', () => {
  let nowMs = 0;
  const kept = createAuthorizations(() => nowMs);
  kept.keep('key', 'Bearer abc', 100_000);
  nowMs = 89_999;
  expect(kept.find('key')).toBe('Bearer abc');
  nowMs = 90_000;
  expect(kept.find('key')).toBeUndefined();
});

test('is kept for good where it does not age, until it is forgotten', () => {
  let nowMs = 0;
  const kept = createAuthorizations(() => nowMs);
  kept.keep('key', 'Basic abc', Infinity);
  nowMs = 1e12;
  expect(kept.find('key')).toBe('Basic abc');
  kept.forget('key');
  expect(kept.find('key')).toBeUndefined();
});

test('the oldest make room for new ones', () => {
  const kept = createAuthorizations();
  for (let count = 0; count < 1_500; count += 1) kept.keep(`key ${count}`, 'x', Infinity);
  expect(kept.find('key 0')).toBeUndefined();
  expect(kept.find('key 499')).toBeUndefined();
  expect(kept.find('key 500')).toBe('x');
  expect(kept.find('key 1499')).toBe('x');
});

test('there is one for each registry, repository and credentials, which it does not contain', () => {
  const keys = [
    authorizationKey('https://quay.io', 'app', undefined),
    authorizationKey('http://quay.io', 'app', undefined),
    authorizationKey('https://quay.io', 'other', undefined),
    authorizationKey('https://quay.io', 'app', password),
    authorizationKey('https://quay.io', 'app', { ...password, password: 'x' }),
    authorizationKey('https://quay.io', 'app', { kind: 'identity-token', token: 'x' }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.join()).not.toContain('secret');
});
