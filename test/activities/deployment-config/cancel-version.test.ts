import { expect, test } from '@jest/globals';

import type { ClusterAccess } from '../../../src/activities/cluster-access.js';
import { createCancelVersion } from '../../../src/activities/deployment-config/cancel-version.js';
import { configAnnotations } from '../../../src/kubernetes/deployment-configs/annotations.js';

const ref = { cluster: 'local', namespace: 'shop', name: 'web', version: 2 };

/** Cancels a version of that phase; resolves to the answer and to what was written. */
async function cancel(phase: string) {
  const written: unknown[] = [];
  const client = {
    get: () =>
      Promise.resolve({
        metadata: {
          name: 'web-2',
          uid: 'web-2-uid',
          resourceVersion: '7',
          annotations: { [configAnnotations.version]: '2', [configAnnotations.phase]: phase },
        },
      }),
    patch: (...[, , , , body]: unknown[]) => {
      written.push(body);
      return Promise.resolve({ metadata: { name: 'web-2', resourceVersion: '8' } });
    },
  };
  const access = { cluster: () => ({ client }) } as unknown as ClusterAccess;
  const answer = await createCancelVersion(access)({ ref, reason: 'enough' });
  return { answer, written };
}

test.each(['New', 'Pending', 'Running'])('a version that is %s is marked', async (phase) => {
  const { answer, written } = await cancel(phase);
  expect(answer).toEqual({ kind: 'done', version: '8' });
  expect(written).toEqual([
    {
      metadata: {
        uid: 'web-2-uid',
        resourceVersion: '7',
        annotations: {
          [configAnnotations.cancelled]: 'true',
          [configAnnotations.statusReason]: 'enough',
        },
      },
    },
  ]);
});

test.each(['Complete', 'Failed'])('one that is %s keeps the reason of its end', async (phase) => {
  const { answer, written } = await cancel(phase);
  expect(answer).toEqual({ kind: 'needless', why: `version 2 is ${phase}` });
  expect(written).toEqual([]);
});
