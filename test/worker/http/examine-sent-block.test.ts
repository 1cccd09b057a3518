import { expect, test } from '@jest/globals';

import type { KubernetesClient } from '../../../src/kubernetes/client.js';
import type { DeploymentConfig } from '../../../src/kubernetes/deployment-configs/objects.js';
import { examineSentBlock } from '../../../src/worker/http/rollbacks/examine-sent-block.js';

const config = (over: Partial<DeploymentConfig> = {}): DeploymentConfig => ({
  metadata: { name: 'web', namespace: 'shop', resourceVersion: '7' },
  spec: { template: {} },
  status: { latestVersion: 2 },
  ...over,
});
const rollback = { release: 'web-1', notes: 'oops' };

/** What is judged by the body and by what stands there alone needs no cluster. */
const examine = (sent: DeploymentConfig, current = config()) =>
  examineSentBlock({} as KubernetesClient, sent, current, 'robin');

test.each([
  ['none', config(), config()],
  ['one that is taken away', config({ rollback: null }), config({ rollback })],
  ['one that stands there', config({ rollback }), config({ rollback: { ...rollback } })],
])('%s is no wish', async (_title, sent, current) => {
  expect(await examine(sent, current)).toBeUndefined();
});

test('another one than stands there has to wait for that', async () => {
  const current = config({ rollback: { release: 1 } });
  await expect(examine(config({ rollback }), current)).rejects.toMatchObject({
    code: 409,
    message: 'DeploymentConfig "web" is asked to go back already',
  });
});

test.each<[string, DeploymentConfig, string]>([
  [
    'in the name of somebody else',
    config({ rollback: { ...rollback, by: 'eve' } }),
    'rollback.by: is not accepted: the token says who asks',
  ],
  [
    'that is none',
    config({ rollback: 'web-1' as unknown as object }),
    'rollback: must be an object',
  ],
  [
    'with a misspelt release',
    config({ rollback: { release: 'db-1' } }),
    'rollback.release: must be a version of web, such as "web-1" or "1", not "db-1"',
  ],
  [
    'beside a new version',
    config({ rollback, status: { latestVersion: 3 } }),
    'status.latestVersion: must be 2, as it is: the rollback makes the next version',
  ],
])('a block %s is refused', async (_title, sent, message) => {
  await expect(examine(sent)).rejects.toMatchObject({ code: 422, message });
});
