import { expect, test } from '@jest/globals';

import type { ClusterAccess } from '../../../src/activities/cluster-access.js';
import { createRequestVersion } from '../../../src/activities/deployment-config/request-version.js';
import { createApplyRollback } from '../../../src/activities/rollback/apply-rollback.js';
import { configAnnotations } from '../../../src/kubernetes/deployment-configs/annotations.js';

const ref = { cluster: 'local', namespace: 'shop', name: 'web' };
const notes = { from: 2, to: 1, config: true, application: true, run: 'first' };

/** A config on which a rollback was written a moment ago, and which can't be written to. */
const access = {
  cluster: () => ({
    client: {
      get: () =>
        Promise.resolve({
          metadata: {
            ...ref,
            uid: 'u',
            generation: 5,
            annotations: {
              [configAnnotations.request]: JSON.stringify({ version: 3, rollback: notes }),
            },
          },
          status: { latestVersion: 2 },
        }),
    },
  }),
} as unknown as ClusterAccess;

test('a rollback whose version is still to be made is not overwritten by another', async () => {
  const apply = createApplyRollback(access, { record: () => undefined });
  const wish = { config: true, application: true };
  const asked = { ref, wish, from: 2, to: 1, base: { uid: 'u', generation: 5 } };
  expect(await apply({ ...asked, runId: 'second' })).toEqual({
    kind: 'overtaken',
    why: 'web is on its way back to version 1 already',
  });
  expect(await apply({ ...asked, runId: 'first' })).toMatchObject({ kind: 'done', version: 3 });
});

test('nor by a run that asks for a version by hand', async () => {
  const request = createRequestVersion(access);
  await expect(
    request({ ref: { ...ref, version: 3 }, wish: {}, runId: 'by hand' }),
  ).rejects.toMatchObject({
    message: 'version: web is on its way back to version 1',
    nonRetryable: true,
  });
});
