import { describe, expect, test } from '@jest/globals';

import {
  createConfigFollower,
  createVersionAwaiter,
} from '../../../src/client/configs/config-follower.js';
import { buildConfigTrees } from '../../../src/client/tree/build-config-trees.js';
import type { ConfigTree } from '../../../src/client/tree/tree.js';
import type { Pod } from '../../../src/kubernetes/objects.js';
import { config, version, type ConfigFacts, type VersionFacts } from '../support/configs.js';
import { pod } from '../support/objects.js';

function tree(number: number, facts: ConfigFacts, latest: VersionFacts, pods: Pod[] = []) {
  const [built] = buildConfigTrees({
    configs: [config({ ...facts, status: { latestVersion: number, ...facts.status } })],
    controllers: number === 0 ? [] : [version(number, latest)],
    repositories: [],
    pods,
  });
  return built as ConfigTree;
}

describe('following a config', () => {
  test.each<[string, ConfigTree, string | undefined, string]>([
    ['what stands', tree(1, {}, {}), 'complete', 'x: nothing to deploy: version 1 stands'],
    [
      'what stands and has failed',
      tree(1, {}, { phase: 'Failed' }),
      'failed',
      'x: nothing to deploy: version 1 stands, and is failed. Version 1: ',
    ],
    ['a new one', tree(2, {}, {}), 'complete', 'x: complete after 2.0s: version 2, 4/4 ready'],
    [
      'one that is cancelled',
      tree(2, {}, { phase: 'Failed', marks: { 'openshift.io/deployment.cancelled': 'true' } }),
      'cancelled',
      'x: cancelled after 2.0s: version 2, 4 of 4 updated, 4 available. Version 2: ',
    ],
    [
      'nothing at all',
      tree(0, { spec: { triggers: [] } }, {}),
      'complete',
      'x: nothing to deploy. It has no version, and none of its triggers makes one: "slipway trigger dc/web" does.',
    ],
  ])('%s', (_title, seen, end, line) => {
    const follower = createConfigFollower(1);
    expect(follower.judge(seen)).toBe(end);
    expect(follower.describeEnd('x', seen, 2_000)).toBe(line);
  });

  test('a change that is due is waited for', () => {
    const due = tree(1, { image: 'web:2' }, {});
    const follower = createConfigFollower(1);
    expect(follower.judge(due)).toBeUndefined();
    expect(follower.describeProgress('x', due)).toBe(
      'x: waiting. Version 2 is due: config change.',
    );
    expect(follower.explainSilence(due)).toContain('is a worker running?');
  });

  test('the one before does not do where a new one must come', () => {
    const follower = createConfigFollower(1, true);
    expect(follower.judge(tree(1, {}, {}))).toBeUndefined();
    expect(follower.judge(tree(2, {}, {}))).toBe('complete');
  });

  test('the pods of a version that failed are remembered', () => {
    const follower = createConfigFollower(1);
    const sick = [pod('web-2-a', 'web-2', { phase: 'Pending', reason: 'ErrImagePull' })];
    expect(follower.judge(tree(2, {}, { phase: 'Running' }, sick))).toBeUndefined();
    expect(follower.judge(tree(2, {}, { phase: 'Failed' }))).toBe('failed');
    expect(follower.listTroubles?.()).toEqual(['a pod of version 2: ErrImagePull (web-2-a)']);
  });

  test('one that is deleted has failed', () => {
    const follower = createConfigFollower(1);
    expect(follower.judge(undefined)).toBe('failed');
    expect(follower.describeEnd('x', undefined, 0)).toBe('x: failed: it was deleted');
  });
});

test('a version is awaited until it has a name', () => {
  const awaiter = createVersionAwaiter(1);
  expect(awaiter.judge(tree(1, {}, {}))).toBeUndefined();
  const made = tree(2, {}, { phase: 'New' });
  expect(awaiter.judge(made)).toBe('complete');
  expect(awaiter.describeEnd('x', made, 0)).toBe('x: version 2 made: web-2');
});
