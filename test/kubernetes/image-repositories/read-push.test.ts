import { expect, test } from '@jest/globals';

import { readPush } from '../../../src/kubernetes/image-repositories/read-push.js';

const read = (text?: string) =>
  readPush({
    metadata: {
      name: 'web',
      ...(text === undefined ? {} : { annotations: { 'slipway.dev/pushed': text } }),
    },
  });

test('a push is read with its tag, its digest and its time', () => {
  const text = JSON.stringify({ tag: 'v1', digest: 'sha256:1', at: '2026-01-01T00:00:00.5Z' });
  expect(read(text)).toEqual({
    text,
    tag: 'v1',
    digest: 'sha256:1',
    atMs: Date.parse('2026-01-01T00:00:00.5Z'),
  });
});

test.each(['', 'now', 'null', '[]', '{"tag":1,"at":true}', '{"at":"yesterday"}'])(
  'of what can be anything (%s), it is known that something was pushed',
  (text) => {
    expect(read(text)).toEqual({ text });
  },
);

test('without a mark there was none', () => {
  expect(read()).toBeUndefined();
});
