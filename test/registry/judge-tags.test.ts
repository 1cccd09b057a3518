import { expect, test } from '@jest/globals';

import { judgeTags } from '../../src/registry/judge-tags.js';

const answer = (status: number, body = '', type = 'application/json') => ({
  status,
  headers: new Map([['content-type', type]]),
  body: Buffer.from(body),
  origin: 'https://registry.example.com',
});

test.each([
  ['some tags', '{"name": "shop/web", "tags": ["v1"]}'],
  ['none any more', '{"name": "shop/web", "tags": []}'],
  ['none, as others write it', '{"name": "shop/web", "tags": null}'],
])('a repository with %s is shown', (_what, body) => {
  expect(judgeTags(answer(200, body))).toEqual({ kind: 'shown' });
});

test.each([404, 410])('%d shows none', (status) => {
  expect(judgeTags(answer(status))).toEqual({ kind: 'missing' });
});

test.each([
  [401, '', 'refused', 'it answers 401'],
  [403, '', 'refused', 'it answers 403'],
  [405, '', 'nonsense', 'it answers 405'],
  [200, 'hello', 'nonsense', 'its answer is not a list of tags'],
  [200, '["v1"]', 'nonsense', 'its answer is not a list of tags'],
  [200, '{"tags": "v1"}', 'nonsense', 'its answer is not a list of tags'],
  [200, '{"name": "shop/web"}', 'nonsense', 'its answer is not a list of tags'],
])('%d with "%s" says neither', (status, body, kind, message) => {
  expect(() => judgeTags(answer(status, body))).toThrow(expect.objectContaining({ kind, message }));
});

test('nor does a web page', () => {
  expect(() => judgeTags(answer(404, '', 'text/html'))).toThrow('with a web page');
});
