import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

import { isReadySince, nodeCommand } from '../../../src/dev/node/ensure-real-node.js';
import {
  containerdConfig,
  kubeletConfig,
  networkConfig,
} from '../../../src/dev/node/node-config.js';
import { layoutOf } from '../../../src/dev/stack/layout.js';

const request = {
  id: '88f0ff56',
  network: '10.97.22.0/24',
  healthPort: 21_000,
  pluginFolder: '/usr/lib/cni',
  runc: '/usr/sbin/runc',
  snapshotter: 'overlayfs',
} as const;

describe('the kubelet', () => {
  const config = parse(kubeletConfig(request)) as Record<string, unknown>;

  test('answers the host and its pods alone, and only those who can show a certificate', () => {
    expect(config).toMatchObject({
      address: '10.97.22.1',
      healthzBindAddress: '127.0.0.1',
      healthzPort: 21_000,
      readOnlyPort: 0,
      authentication: { anonymous: { enabled: false } },
      authorization: { mode: 'Webhook' },
    });
  });

  test('keeps its cgroups apart from those of others, and changes no rules for packets', () => {
    expect(config).toMatchObject({
      cgroupRoot: '/slipway-88f0ff56',
      cgroupDriver: 'cgroupfs',
      makeIPTablesUtilChains: false,
    });
  });

  test('runs on an ordinary machine, full or with swap or old cgroups', () => {
    expect(config).toMatchObject({
      failCgroupV1: false,
      failSwapOn: false,
      enforceNodeAllocatable: [],
      evictionHard: {},
      imageGCHighThresholdPercent: 100,
    });
  });

  test('keeps away what does not ask for it', () => {
    const taint = { key: 'slipway.dev/real', value: 'true', effect: 'NoSchedule' };
    expect(config['registerWithTaints']).toEqual([taint]);
  });
});

test('containerd keeps all that it has inside of the mounts that end with it', () => {
  const config = containerdConfig(request);
  const paths = [...config.matchAll(/^(root|state|address|path|conf_dir) = "(.*)"$/gm)];
  expect(paths.map(([, name]) => name)).toEqual(['root', 'state', 'address', 'path', 'conf_dir']);
  for (const [, , path] of paths) expect(path).toMatch(/^\/(var\/lib\/kubelet|run)\//);
  expect(config).toContain('sandbox_image = "slipway.dev/pause:1"');
  expect(config).toContain('restrict_oom_score_adj = true');
});

test('pods are on the bridge of their stack, and the machine becomes no router', () => {
  expect(JSON.parse(networkConfig(request))).toMatchObject({
    plugins: [
      {
        bridge: 'slip-88f0ff56',
        isGateway: false,
        ipMasq: false,
        ipam: {
          ranges: [[{ subnet: '10.97.22.0/24', gateway: '10.97.22.1' }]],
          routes: [{ dst: '0.0.0.0/0', gw: '10.97.22.1' }],
        },
      },
    ],
  });
});

test('the node has namespaces of its own, which end with its first process', () => {
  const command = nodeCommand(layoutOf('/state'), '/bin/kubelet', '10.97.22.0/24');
  const words = command.arguments.join(' ');
  expect(command.program).toBe('unshare');
  expect(words).toMatch(/--mount .*--pid --fork --kill-child/);
  expect(words).toMatch(/start\.sh \/state\/node \/bin\/kubelet /);
  expect(words).toContain('--node-ip=10.97.22.1 --node-labels=slipway.dev/node=real');
});

describe('the node is ready', () => {
  const sinceMs = Date.parse('2026-01-01T00:00:10.700Z');
  const node = (status: string, lastHeartbeatTime: string, ...keys: readonly string[]) => ({
    metadata: { name: 'real-1' },
    spec: { taints: ['slipway.dev/real', ...keys].map((key) => ({ key })) },
    status: { conditions: [{ type: 'Ready', status, lastHeartbeatTime }] },
  });

  test.each([
    [true, 'when it has said so in this second', node('True', '2026-01-01T00:00:10Z')],
    [false, 'not by what it said before', node('True', '2026-01-01T00:00:09Z')],
    [false, 'not when it says otherwise', node('False', '2026-01-01T00:00:11Z')],
    [
      false,
      'not while it is marked as unready',
      node('True', '2026-01-01T00:00:11Z', 'node.kubernetes.io/not-ready'),
    ],
    [false, 'not before it has said anything', { metadata: { name: 'real-1' } }],
  ])('%s: %s', (ready, _when, seen) => {
    expect(isReadySince(seen, sinceMs)).toBe(ready);
  });
});
