import { expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';

import type { ClusterAccess } from '../../../src/activities/cluster-access.js';
import { createExamineRollback } from '../../../src/activities/rollback/examine-rollback.js';
import type { Examined, ExamineRollback, RollbackRef } from '../../../src/contracts/rollback.js';

test('a look that takes long gives signs of life, by which a dead worker is told from a slow one', async () => {
  const environment = new MockActivityEnvironment();
  const heard = new Promise<void>((resolve) => {
    environment.once('heartbeat', () => {
      resolve();
    });
  });
  const list = async () => {
    await heard;
    return { metadata: {}, items: [] };
  };
  const access = { cluster: () => ({ client: { list } }) } as unknown as ClusterAccess;
  const look = createExamineRollback(access);
  const wish = { config: true, application: true };
  const ref = { cluster: 'local', namespace: 'shop', members: [{ name: 'web', wish }] };
  const seen = await environment.run<[RollbackRef], Examined, ExamineRollback>(look, ref);
  expect(seen).toMatchObject({
    kind: 'examined',
    report: { configs: [{ name: 'web', problems: [{ field: 'name' }] }] },
  });
});
