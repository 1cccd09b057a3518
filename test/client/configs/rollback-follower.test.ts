import { expect, test } from '@jest/globals';

import { createRollbackFollower } from '../../../src/client/configs/rollback-follower.js';
import { buildConfigTrees } from '../../../src/client/tree/build-config-trees.js';
import type { DeploymentConfig } from '../../../src/kubernetes/deployment-configs/objects.js';
import { config, version } from '../support/configs.js';

const asked = config({ status: { latestVersion: 2 } });
const refused = {
  type: 'RollbackRefused',
  status: 'True',
  message: 'release: there is no version 7 of web; it has 1, 2',
};
const treeOf = (found: DeploymentConfig, phase = 'Complete') => {
  const latest = found.status?.latestVersion ?? 0;
  const controllers = [version(latest, { phase })];
  return buildConfigTrees({ configs: [found], controllers, repositories: [], pods: [] })[0];
};

test('goes on while the wish stands there, also beside an older refusal', () => {
  const standing = {
    ...config({ status: { latestVersion: 2, conditions: [refused] } }),
    rollback: {},
  };
  expect(createRollbackFollower(asked).judge(treeOf(standing))).toBeUndefined();
});

test('goes on while the version of it is due', () => {
  const request = JSON.stringify({
    version: 3,
    rollback: { from: 2, to: 1, config: true, application: true },
  });
  const due = config({
    annotations: { 'slipway.dev/request': request },
    status: { latestVersion: 2, conditions: [refused] },
  });
  expect(createRollbackFollower(asked).judge(treeOf(due))).toBeUndefined();
});

test('ends with the version of it', () => {
  const made = config({ status: { latestVersion: 3 } });
  const follower = createRollbackFollower(asked);
  expect(follower.judge(treeOf(made, 'Running'))).toBeUndefined();
  expect(follower.judge(treeOf(made))).toBe('complete');
  expect(follower.judge(treeOf(made, 'Failed'))).toBe('failed');
});

test('ends when it is refused, and says why', () => {
  const tree = treeOf(config({ status: { latestVersion: 2, conditions: [refused] } }));
  const follower = createRollbackFollower(asked);
  expect(follower.judge(tree)).toBe('refused');
  expect(follower.describeEnd('dc/web', tree, 1_000)).toBe(
    "dc/web: can't go back, and nothing was changed: release: there is no version 7 of web; it has 1, 2",
  );
});
