import { expect, test } from '@jest/globals';

import { AskedTags } from '../../../src/worker/watch/images/asked-tags.js';

const source = (repository: string, tag: string) => ({ namespace: 'shop', repository, tag });

test('tags of all configs count, each once', () => {
  const asked = new AskedTags();
  expect(asked.note('shop/a', [source('web', '1'), source('web', '2')])).toEqual(['shop/web']);
  expect(asked.note('shop/b', [source('web', '2'), source('api', '1')])).toEqual([
    'shop/web',
    'shop/api',
  ]);
  expect(asked.of('shop/web')).toEqual(['1', '2']);
  expect(asked.of('shop/api')).toEqual(['1']);
  expect(asked.of('other/web')).toEqual([]);
});

test('a change touches what was named before and what is named now', () => {
  const asked = new AskedTags();
  asked.note('shop/a', [source('web', '1')]);
  expect(asked.note('shop/a', [source('api', '1')])).toEqual(['shop/web', 'shop/api']);
  expect(asked.of('shop/web')).toEqual([]);
});

test('what stays touches nothing', () => {
  const asked = new AskedTags();
  expect(asked.note('shop/a', [])).toEqual([]);
  asked.note('shop/a', [source('web', '1')]);
  expect(asked.note('shop/a', [source('web', '1')])).toEqual([]);
});

test('a config that is gone asks for nothing', () => {
  const asked = new AskedTags();
  asked.note('shop/a', [source('web', '1')]);
  asked.note('shop/b', [source('web', '2')]);
  expect(asked.note('shop/a', [])).toEqual(['shop/web']);
  expect(asked.of('shop/web')).toEqual(['2']);
});
