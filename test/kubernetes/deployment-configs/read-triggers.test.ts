import { expect, test } from '@jest/globals';

import { readTriggers } from '../../../src/kubernetes/deployment-configs/read-triggers.js';

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
