import { expect, test } from '@jest/globals';

import type { DeploymentConfig } from '../../../src/kubernetes/deployment-configs/objects.js';
import { planBlock } from '../../../src/worker/http/rollbacks/plan-block.js';

const examined = { from: 4, to: 2, base: { uid: 'one', generation: 7 } };
const wish = { config: true, application: false, notes: 'too slow', by: 'robin' };

const configOf = (
  latestVersion: number,
  metadata: Partial<DeploymentConfig['metadata']> = {},
): DeploymentConfig => ({
  metadata: { name: 'web', uid: 'one', generation: 7, resourceVersion: '9', ...metadata },
  spec: { template: {} },
  status: { latestVersion },
});

test.each([
  ['left open', wish],
  ['named', { ...wish, release: 2 }],
])('a version that was %s is the one that was examined', (_how, asked) => {
  expect(planBlock(configOf(4), asked, examined)).toEqual({
    kind: 'write',
    patch: { metadata: { resourceVersion: '9' }, rollback: { ...wish, release: 'web-2' } },
  });
});

test.each([
  [
    'has another version',
    configOf(5),
    'DeploymentConfig "web" has version 5 by now, and was examined at version 4: try again',
  ],
  [
    'was edited',
    configOf(4, { generation: 8 }),
    'DeploymentConfig "web" has changed meanwhile: try again',
  ],
  [
    'was made anew',
    configOf(4, { uid: 'two' }),
    'DeploymentConfig "web" has changed meanwhile: try again',
  ],
  [
    'has a block',
    { ...configOf(4), rollback: {} },
    'DeploymentConfig "web" is asked to go back already',
  ],
])('nothing is written into one that %s', (_what, config, why) => {
  expect(planBlock(config, wish, examined)).toEqual({ kind: 'conflict', why });
});

test('a block that was taken away is none', () => {
  const config = { ...configOf(4), rollback: null } as unknown as DeploymentConfig;
  expect(planBlock(config, wish, examined).kind).toBe('write');
});
