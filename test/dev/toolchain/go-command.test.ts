import { describe, expect, test } from '@jest/globals';

import { planBuilds } from '../../../src/dev/toolchain/build-tools.js';
import { buildGoCommand, goEnvironment } from '../../../src/dev/toolchain/go-command.js';

describe('the call of go', () => {
  test('a published program is installed at its pinned version', () => {
    const command = buildGoCommand('kwok', ['kwok'], '/scratch/kwok', { PATH: '/bin' });
    expect(command.arguments).toEqual([
      'install',
      '-v',
      '-trimpath',
      '-ldflags=-s -w',
      'sigs.k8s.io/kwok/cmd/kwok@v0.8.0',
    ]);
    expect(command.environment['GOBIN']).toBe('/scratch/kwok');
    expect(command.folder).toBe('/scratch/kwok');
  });

  test('the three of Kubernetes are built at once, with a version that clients can read', () => {
    const names = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;
    const command = buildGoCommand('kubernetes', names, '/scratch/kubernetes', {});
    expect(command.arguments).toEqual([
      'build',
      '-v',
      '-trimpath',
      '-ldflags=-s -w -X k8s.io/component-base/version.gitVersion=v1.36.3 -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=36',
      '-o',
      '/scratch/kubernetes/',
      'k8s.io/kubernetes/cmd/kube-apiserver',
      'k8s.io/kubernetes/cmd/kube-controller-manager',
      'k8s.io/kubernetes/cmd/kube-scheduler',
    ]);
    expect(command.folder).toMatch(/\/toolchain\/kubernetes$/);
  });
});

test("settings of the user's own Go projects don't reach the build; proxies and caches do", () => {
  expect(
    goEnvironment({
      GOFLAGS: '-mod=vendor',
      GOOS: 'windows',
      GOWORK: '/mine/go.work',
      GOPROXY: 'https://proxy.example',
      GOCACHE: '/big/cache',
      UNSET: undefined,
    }),
  ).toEqual({
    GOFLAGS: '-buildvcs=false',
    GOWORK: 'off',
    GO111MODULE: 'on',
    CGO_ENABLED: '0',
    GOPROXY: 'https://proxy.example',
    GOCACHE: '/big/cache',
  });
});

describe('the plan of builds', () => {
  test('tools of one recipe are one build', () => {
    expect(planBuilds(['temporal', 'kube-scheduler', 'kwok', 'kube-apiserver'])).toEqual([
      { recipe: 'kwok', names: ['kwok'] },
      { recipe: 'temporal', names: ['temporal'] },
      { recipe: 'kubernetes', names: ['kube-scheduler', 'kube-apiserver'] },
    ]);
  });
});
