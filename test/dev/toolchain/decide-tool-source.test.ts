import { describe, expect, test } from '@jest/globals';

import { decideToolSource } from '../../../src/dev/toolchain/decide-tool-source.js';
import type { AnyToolName } from '../../../src/dev/toolchain/tools.js';

const onPath = { path: '/usr/bin/etcd', versionAnswer: 'etcd Version: 3.6.8\nGit SHA: x\n' };
const cached = '/cache/etcd';

describe('where a tool is taken from', () => {
  test('the variable comes first, whatever the version', () => {
    const variable = { path: '/my/etcd', isExecutable: true };
    expect(decideToolSource('etcd', { variable, onPath, cached })).toEqual({
      kind: 'found',
      where: 'variable',
      path: '/my/etcd',
    });
  });

  test('a variable that names no program is a mistake, not a reason to look further', () => {
    const variable = { path: '/my/etcd', isExecutable: false };
    expect(decideToolSource('etcd', { variable, onPath, cached })).toEqual({
      kind: 'invalid',
      message: 'SLIPWAY_ETCD_BIN: /my/etcd is not a file that can be run',
    });
  });

  test('nor is one without what belongs beside it', () => {
    const path = '/my/argo-rollouts';
    const variable = { path, isExecutable: true, lacks: '/my/crds' };
    expect(decideToolSource('argo-rollouts', { variable })).toEqual({
      kind: 'invalid',
      message: 'SLIPWAY_ARGO_ROLLOUTS_BIN: /my/crds is missing, which belongs to /my/argo-rollouts',
    });
  });

  test('then PATH, when it has the pinned version', () => {
    expect(decideToolSource('etcd', { onPath, cached })).toMatchObject({ where: 'path' });
  });

  test('then the cache', () => {
    const other = { ...onPath, versionAnswer: 'etcd Version: 3.5.21\n' };
    expect(decideToolSource('etcd', { onPath: other, cached })).toEqual({
      kind: 'found',
      where: 'cache',
      path: cached,
    });
  });

  test('else it is built', () => {
    expect(decideToolSource('etcd', {})).toEqual({ kind: 'build' });
  });
});

describe('the pinned version is told by what each binary says of itself', () => {
  const cases: readonly (readonly [AnyToolName, string, boolean])[] = [
    ['temporal', 'temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)\n', true],
    ['temporal', 'temporal version 0.0.0-DEV (Server 1.29.1, UI 2.42.1)\n', true],
    ['temporal', 'temporal version 1.9.1 (Server 1.31.0, UI 2.49.0)\n', false],
    ['etcd', 'etcd Version: 3.6.80\n', false],
    ['kube-apiserver', 'Kubernetes v1.36.3\n', true],
    ['kube-apiserver', 'Kubernetes v1.36.30\n', false],
    ['kube-scheduler', 'Kubernetes v1.36.3-gke.1\n', false],
    ['kube-controller-manager', 'Kubernetes v0.0.0-master+$Format:%H$\n', false],
    ['kwok', 'kwok version v0.8.0 go1.26.8 (linux/amd64)\n', true],
    ['kwok', 'kwok version v0.7.0 go1.24.1 (linux/amd64)\n', false],
    ['kwok', '', false],
    ['kubectl', 'Client Version: v1.36.3\nKustomize Version: v5.8.1\n', true],
    ['kubectl', 'Client Version: v1.30.0\nKustomize Version: v5.8.1\n', false],
    ['registry', '/bin/registry github.com/distribution/distribution/v3 v3.0.0+unknown\n', true],
    ['registry', 'registry github.com/distribution/distribution/v3 v3.0.0\n', true],
    ['registry', 'registry github.com/distribution/distribution/v3 v3.0.01\n', false],
    ['registry', 'registry github.com/docker/distribution v2.8.2\n', false],
    ['kubernetes-e2e', 'v1.36.3\n', true],
    ['kubernetes-e2e', 'v1.36.30\n', false],
    ['argo-rollouts', 'v1.10.1+unknown\n', true],
    ['argo-rollouts', 'v1.10.1\n', true],
    ['argo-rollouts', 'v1.10.10\n', false],
  ];
  test.each(cases)('%s that says %j: %p', (name, versionAnswer, isPinned) => {
    const seen = { onPath: { path: '/bin/x', versionAnswer } };
    expect(decideToolSource(name, seen).kind).toBe(isPinned ? 'found' : 'build');
  });
});
