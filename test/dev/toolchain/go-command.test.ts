import { describe, expect, test } from '@jest/globals';

import { planBuilds } from '../../../src/dev/toolchain/build-tools.js';
import {
  buildDownloadCommand,
  buildGoCommands,
  goEnvironment,
} from '../../../src/dev/toolchain/go-command.js';
import { tools, type ToolName } from '../../../src/dev/toolchain/tools.js';

const kubernetesVersion =
  '-X k8s.io/component-base/version.gitVersion=v1.36.3 -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=36';

describe('the calls of go', () => {
  test('a published program is installed at its pinned version', () => {
    const [command, ...others] = buildGoCommands('kwok', ['kwok'], '/scratch/kwok', {
      PATH: '/bin',
    });
    expect(others).toEqual([]);
    expect(command?.arguments).toEqual([
      'install',
      '-v',
      '-trimpath',
      '-ldflags=-s -w',
      'sigs.k8s.io/kwok/cmd/kwok@v0.8.0',
    ]);
    expect(command?.environment['GOBIN']).toBe('/scratch/kwok');
    expect(command?.folder).toBe('/scratch/kwok');
  });

  test('those of Kubernetes are built at once, with a version that clients can read', () => {
    const names = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;
    const [command, ...others] = buildGoCommands('kubernetes', names, '/scratch/kubernetes', {});
    expect(others).toEqual([]);
    expect(command?.arguments).toEqual([
      'build',
      '-v',
      '-trimpath',
      `-ldflags=-s -w ${kubernetesVersion}`,
      '-o',
      '/scratch/kubernetes/',
      'k8s.io/kubernetes/cmd/kube-apiserver',
      'k8s.io/kubernetes/cmd/kube-controller-manager',
      'k8s.io/kubernetes/cmd/kube-scheduler',
    ]);
    expect(command?.folder).toMatch(/\/toolchain\/kubernetes$/);
  });

  test('a test binary is compiled with the names of its packages, then linked, in the same module', () => {
    const commands = buildGoCommands('kubernetes-e2e', ['kubernetes-e2e'], '/scratch/e2e', {});
    expect(commands.map((command) => command.arguments)).toEqual([
      ['list', '-export', '-test', '-v', '-trimpath', 'k8s.io/kubernetes/test/e2e'],
      [
        'test',
        '-c',
        '-trimpath',
        `-ldflags=-s -w ${kubernetesVersion}`,
        '-o',
        '/scratch/e2e/kubernetes-e2e',
        'k8s.io/kubernetes/test/e2e',
      ],
    ]);
    for (const { folder } of commands) expect(folder).toMatch(/\/toolchain\/kubernetes$/);
  });

  test('a module with replace directives is downloaded, then built in a copy of its source', () => {
    const environment = { GOPROXY: 'https://proxy.example' };
    expect(buildDownloadCommand('example.com/m', 'v1.2.3', '/scratch/m', environment)).toEqual({
      arguments: ['mod', 'download', '-json', 'example.com/m@v1.2.3'],
      folder: '/scratch/m',
      environment: goEnvironment(environment),
    });
    const commands = buildGoCommands('argo-rollouts', ['argo-rollouts'], '/scratch/argo', {});
    expect(commands).toEqual([
      {
        arguments: [
          'build',
          '-v',
          '-trimpath',
          '-ldflags=-s -w -X github.com/argoproj/argo-rollouts/utils/version.version=1.10.1',
          '-o',
          '/scratch/argo/argo-rollouts',
          './cmd/rollouts-controller',
        ],
        folder: '/scratch/argo-source',
        environment: goEnvironment({}),
      },
    ]);
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

  test('a stack needs neither the tests of Kubernetes nor what it is compared with', () => {
    const ofTheStack: readonly ToolName[] = [
      'temporal',
      'etcd',
      'kube-apiserver',
      'kube-controller-manager',
      'kube-scheduler',
      'kwok',
    ];
    expect(planBuilds(ofTheStack).map(({ recipe }) => recipe)).toEqual([
      'etcd',
      'kwok',
      'temporal',
      'kubernetes',
    ]);
  });

  test('every tool has a recipe, and a variable that no other has', () => {
    const names = Object.keys(tools) as (keyof typeof tools)[];
    expect(
      planBuilds(names)
        .flatMap((build) => build.names)
        .sort(),
    ).toEqual([...names].sort());
    expect(new Set(names.map((name) => tools[name].variable)).size).toBe(names.length);
  });
});
