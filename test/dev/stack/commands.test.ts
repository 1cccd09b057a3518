import { describe, expect, test } from '@jest/globals';

import {
  apiserverCommand,
  controllerManagerCommand,
  etcdCommand,
  kwokCommand,
  schedulerCommand,
  temporalCommand,
} from '../../../src/dev/stack/commands.js';
import { saysReady, workerCommand } from '../../../src/dev/stack/ensure-worker.js';
import { layoutOf } from '../../../src/dev/stack/layout.js';

const layout = layoutOf('/state');
const settings = { dropIn: false, nodes: 10, worker: true, unsafeNoFsync: false };
const target = {
  kubeconfig: '/state/kubeconfig',
  temporalAddress: '127.0.0.1:1',
  namespace: 'default',
};

describe('every part', () => {
  const commands = [
    temporalCommand('/bin/temporal', layout, { grpc: 1, ui: 2, http: 3, metrics: 4 }),
    etcdCommand('/bin/etcd', layout, { client: 5, peer: 6 }, false),
    apiserverCommand('/bin/kube-apiserver', layout, { https: 7 }, 5),
    controllerManagerCommand('/bin/kube-controller-manager', layout, { https: 8 }, false),
    schedulerCommand('/bin/kube-scheduler', layout, { https: 9 }),
    kwokCommand('/bin/kwok', layout, { http: 10 }),
  ];
  test.each(commands.map((command) => [command.program, command] as const))(
    '%s listens on loopback only, and reads no settings of the user',
    (_program, command) => {
      const text = command.arguments.join(' ');
      expect(text).toContain('127.0.0.1');
      expect(text).not.toMatch(/0\.0\.0\.0|localhost/);
      expect(command.environment['HOME']).toBe('/state');
    },
  );
});

describe('Temporal', () => {
  test('keeps its data in the state folder and starts activities eagerly', () => {
    const { arguments: flags } = temporalCommand('t', layout, {
      grpc: 1,
      ui: 2,
      http: 3,
      metrics: 4,
    });
    expect(flags).toEqual(
      expect.arrayContaining([
        '--port=1',
        '--ui-port=2',
        '--db-filename=/state/temporal.db',
        '--dynamic-config-value=system.enableActivityEagerExecution=true',
        '--dynamic-config-value=history.transferProcessorMaxPollRPS=1000',
        '--sqlite-pragma=journal_mode=wal',
      ]),
    );
  });
});

describe('etcd', () => {
  const flags = (unsafe: boolean): readonly string[] =>
    etcdCommand('etcd', layout, { client: 5, peer: 6 }, unsafe).arguments;

  test('asks clients and peers for certificates', () => {
    expect(flags(false)).toEqual(
      expect.arrayContaining([
        '--client-cert-auth',
        '--peer-client-cert-auth',
        '--listen-client-urls=https://127.0.0.1:5',
        '--listen-peer-urls=https://127.0.0.1:6',
      ]),
    );
  });

  test('writes to the disk for good, unless tests ask otherwise', () => {
    expect(flags(false)).not.toContain('--unsafe-no-fsync');
    expect(flags(true)).toContain('--unsafe-no-fsync');
  });
});

test('the apiserver knows of kubelets only where there is a real one, and makes sure of whom it calls', () => {
  const flags = (realNode: boolean): readonly string[] =>
    apiserverCommand('a', layout, { https: 7 }, 5, realNode).arguments.filter((flag) =>
      /^--(kubelet|enable-admission)/.test(flag),
    );
  expect(flags(false)).toEqual([]);
  expect(flags(true)).toEqual([
    '--kubelet-client-certificate=/state/pki/kubelet-client.crt',
    '--kubelet-client-key=/state/pki/kubelet-client.key',
    '--kubelet-certificate-authority=/state/pki/ca.crt',
    '--kubelet-preferred-address-types=InternalIP',
    '--enable-admission-plugins=PodNodeSelector,PodTolerationRestriction',
  ]);
});

test('the apiserver checks who calls and what they may do', () => {
  expect(apiserverCommand('a', layout, { https: 7 }, 5).arguments).toEqual(
    expect.arrayContaining([
      '--anonymous-auth=false',
      '--authorization-mode=Node,RBAC',
      '--client-ca-file=/state/pki/ca.crt',
      '--etcd-servers=https://127.0.0.1:5',
    ]),
  );
});

test.each([
  [false, '--controllers=*'],
  [true, '--controllers=*,-deployment-controller'],
])('with drop-in %p the controller manager runs %s', (dropIn, flag) => {
  expect(controllerManagerCommand('c', layout, { https: 8 }, dropIn).arguments).toContain(flag);
});

describe('the worker', () => {
  const flags = (over: object): readonly string[] =>
    workerCommand({ ...settings, ...over }, target, { http: 9 }).arguments.slice(1);

  test('of the local cluster knows it as "local"', () => {
    expect(flags({})).toEqual(['worker', '--cluster-name=local', '--http-address=127.0.0.1:9']);
    expect(workerCommand(settings, target, { http: 9 }).environment).toEqual({
      KUBECONFIG: '/state/kubeconfig',
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      TEMPORAL_NAMESPACE: 'default',
    });
  });

  test('of an own cluster is given its kubeconfig and context', () => {
    expect(flags({ kubeconfig: '/state/kubeconfig', context: 'staging', dropIn: true })).toEqual([
      'worker',
      '--kubeconfig=/state/kubeconfig',
      '--context=staging',
      '--drop-in',
      '--http-address=127.0.0.1:9',
    ]);
  });

  test('is ready once its log says so', () => {
    const before = '{"level":30,"msg":"connecting"}\n';
    expect(saysReady(before)).toBe(false);
    expect(saysReady(`${before}{"level":30,"msg":"worker is ready","queue":"slipway"}\n`)).toBe(
      true,
    );
  });
});
