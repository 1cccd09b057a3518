import { expect, test } from '@jest/globals';

import {
  readTriggers,
  writeCause,
} from '../../../src/kubernetes/deployment-configs/read-triggers.js';

test.each([undefined, ''])(
  'a source whose namespace is %p is in that of the config',
  (namespace) => {
    const from = {
      kind: 'ImageStreamTag',
      name: 'web:latest',
      ...(namespace === undefined ? {} : { namespace }),
    };
    const triggers = [
      { type: 'ImageChange' as const, imageChangeParams: { containerNames: ['web'], from } },
    ];
    expect(readTriggers({ triggers }, 'shop').images[0]?.source).toEqual({
      namespace: 'shop',
      repository: 'web',
      tag: 'latest',
    });
  },
);

test('a rollback is told with who asked, and with all that is known of it', () => {
  const notes = { from: 2, to: 1, config: true, application: false, notes: 'oops', run: 'r' };
  expect(writeCause({ type: 'Rollback', ...notes, by: 'ann' })).toEqual({
    type: 'Rollback',
    by: 'ann',
    rollback: notes,
  });
});
