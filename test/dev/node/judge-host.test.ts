import { describe, expect, test } from '@jest/globals';

import { judgeHost, type HostSighting } from '../../../src/dev/node/judge-host.js';

const fit: HostSighting = { platform: 'linux', isRoot: true, missingPackages: [] };

describe('a machine for a real node', () => {
  test('has Linux, root, the packages and cgroups', () => {
    expect(judgeHost(fit)).toBeUndefined();
  });

  test.each<[Partial<HostSighting>, string]>([
    [
      { platform: 'darwin', isRoot: false },
      'real-node: a real node runs on Linux only, and this is darwin',
    ],
    [
      { isRoot: false, missingPackages: ['runc'] },
      'real-node: a real node needs root, to run containers; try it with sudo',
    ],
    [
      { missingPackages: ['containerd', 'runc', 'containernetworking-plugins', 'busybox-static'] },
      'real-node: packages are missing; install them with "apt-get install --no-install-recommends containerd runc containernetworking-plugins busybox-static"',
    ],
    [
      { cgroupProblem: '/sys/fs/cgroup has no memory' },
      "real-node: pods can't be given cgroups on this machine: /sys/fs/cgroup has no memory",
    ],
  ])('%j: %s', (over, sentence) => {
    expect(judgeHost({ ...fit, ...over })).toBe(sentence);
  });
});
