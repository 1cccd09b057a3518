import { expect, test } from '@jest/globals';

import { buildDeploymentTrees } from '../../../src/client/tree/build-deployment-trees.js';
import { listChangedTrees } from '../../../src/client/tree/changed-trees.js';
import { sortTrees } from '../../../src/client/tree/tree-kinds.js';
import { deployment, pod, replicaSet } from '../support/objects.js';

test('puts revisions and pods under their owners, newest revision first', () => {
  const [tree] = buildDeploymentTrees({
    deployments: [deployment()],
    replicaSets: [
      replicaSet(2, { desired: 2 }),
      replicaSet(10, { desired: 8, annotations: { 'kubernetes.io/change-cause': 'new image' } }),
      replicaSet(1, { owner: 'other' }),
    ],
    pods: [pod('web-10-b', 'web-10'), pod('web-10-a', 'web-10'), pod('stray', 'gone')],
  });
  expect(tree?.revisions.map(({ revision, current }) => [revision, current])).toEqual([
    [10, true],
    [2, false],
  ]);
  expect(tree?.revisions[0]).toMatchObject({
    replicaSet: 'web-10',
    images: ['nginx:10'],
    changeCause: 'new image',
    created: '2026-01-01T00:00:00Z',
    replicas: { desired: 8, ready: 8, available: 8 },
    pods: [{ name: 'web-10-a' }, { name: 'web-10-b' }],
  });
});

test('the shape for scripts has every field, always', () => {
  const [tree] = buildDeploymentTrees({
    deployments: [deployment({ apiVersion: 'slipway.dev/v1alpha1' })],
    replicaSets: [replicaSet(2, { desired: 10 })],
    pods: [pod('web-2-a', 'web-2')],
  });
  expect(tree).toEqual({
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Deployment',
    namespace: 'shop',
    name: 'web',
    phase: 'Complete',
    paused: false,
    rollbackOnFailure: false,
    rolledBackAt: null,
    heldBy: null,
    message: '',
    replicas: { desired: 10, current: 10, updated: 10, ready: 10, available: 10 },
    revisions: [
      {
        revision: 2,
        replicaSet: 'web-2',
        current: true,
        images: ['nginx:2'],
        changeCause: null,
        triggers: [],
        created: '2026-01-01T00:00:00Z',
        replicas: { desired: 10, ready: 10, available: 10 },
        hooks: [],
        pods: [
          {
            name: 'web-2-a',
            status: 'Running',
            ready: true,
            readyContainers: 1,
            containers: 1,
            restarts: 0,
            node: 'node-1',
            created: '2026-01-01T00:00:50Z',
          },
        ],
      },
    ],
  });
});

test('objects are sorted by namespace, name and API', () => {
  const built = buildDeploymentTrees({
    deployments: [
      deployment({ name: 'b' }),
      deployment({ name: 'a', apiVersion: 'slipway.dev/v1alpha1' }),
      deployment({ name: 'a' }),
      deployment({ name: 'z', namespace: 'art' }),
    ],
    replicaSets: [],
    pods: [],
  });
  expect(
    sortTrees(built).map(({ namespace, name, apiVersion }) => `${namespace}/${name} ${apiVersion}`),
  ).toEqual(['art/z apps/v1', 'shop/a apps/v1', 'shop/a slipway.dev/v1alpha1', 'shop/b apps/v1']);
});

test('only what changed is streamed, and what is gone is marked', () => {
  const build = (...names: string[]) =>
    buildDeploymentTrees({
      deployments: names.map((name) =>
        deployment({ name: name.slice(0, 1), desired: name.length }),
      ),
      replicaSets: [],
      pods: [],
    });
  const changed = listChangedTrees(build('a', 'b', 'c'), build('a', 'bb', 'd'));
  expect(changed.map(({ name, deleted }) => [name, deleted])).toEqual([
    ['b', undefined],
    ['d', undefined],
    ['c', true],
  ]);
});
