import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { bridgeName, nodeId, ruleComment } from '../../src/dev/node/node-network.js';
import { layoutOf } from '../../src/dev/stack/layout.js';
import { readState } from '../../src/dev/stack/state.js';
import type { StackStatus } from '../../src/dev/stack/status.js';
import { connectCluster, type Cluster } from '../../src/kubernetes/connect.js';
import { startLocalStack, type LocalStack } from '../support/local-stack.js';
import { createPod, getPod, podEnd, runPod, scriptPod } from '../support/real-node.js';
import { runSlipway } from '../support/slipway-command.js';
import { waitFor } from '../support/wait-for.js';

/** A stack of its own, beside the one that the other tests share and that must not notice. */
let stack: LocalStack;
let cluster: Cluster;
const startWithinMs = 180_000;

beforeAll(async () => {
  stack = await startLocalStack(['--real-node']);
  cluster = connectCluster({ kubeconfig: stack.kubeconfig });
}, startWithinMs);
afterAll(async () => {
  await cluster.client.close();
  await stack.stop();
}, startWithinMs);

const dev = (...words: readonly string[]): ReturnType<typeof runSlipway> =>
  runSlipway(['dev', ...words], { env: { SLIPWAY_STATE_DIR: stack.stateDir } });

const nodePid = (): number => readState(layoutOf(stack.stateDir)).parts['real-node']!.pid;

const run = (program: string, ...words: readonly string[]): string =>
  execFileSync(program, words, {
    encoding: 'utf8',
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` },
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** What tells the processes of the node: they see no mounts but its own. */
const mountsOf = (pid: number | string): string => readlinkSync(`/proc/${pid}/ns/mnt`);

function processesIn(mounts: string): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && mountsOf(name) === mounts;
    } catch {
      return false;
    }
  });
}

/** Everything of this stack's node that can be seen on the machine. */
function traces(): readonly string[] {
  const id = nodeId(stack.stateDir);
  const grep = (text: string, word: string): readonly string[] =>
    text.split('\n').filter((line) => line.includes(word));
  const cgroups = readdirSync('/sys/fs/cgroup')
    .map((name) => join('/sys/fs/cgroup', name, `slipway-${id}`))
    .concat(`/sys/fs/cgroup/slipway-${id}`);
  return [
    ...grep(run('ip', 'link'), bridgeName(id)),
    ...['nat', 'mangle'].flatMap((table) =>
      grep(run('iptables', '-t', table, '-S'), ruleComment(id)),
    ),
    ...cgroups.filter((path) => existsSync(path)),
    ...grep(readFileSync('/proc/mounts', 'utf8'), stack.stateDir),
  ];
}

async function startSleeper(name: string, restartPolicy: string): Promise<void> {
  const pod = scriptPod(name, 'sleep 600', { restartPolicy });
  await createPod(cluster, 'default', pod);
  await waitFor(`pod ${name} runs`, async () =>
    (await getPod(cluster, 'default', name)).status?.phase === 'Running' ? true : undefined,
  );
}

describe('the real node of a stack', () => {
  test('is one of its parts', async () => {
    const { code, stdout } = await dev('status', '-o', 'json');
    const status = JSON.parse(stdout) as StackStatus;
    expect([code, status.state]).toEqual([0, 'up']);
    expect(status.parts.map(({ name }) => name)).toContain('real-node');
  });

  test('stays as it is when up is said again', async () => {
    const before = nodePid();
    const { code, stdout } = await dev('up', '--real-node');
    expect([code, nodePid()]).toEqual([0, before]);
    expect(stdout).toContain('already up');
  });

  test(
    'is healed when it crashed: its pods fail as on a machine that lost power, and new ones run',
    async () => {
      await startSleeper('lost', 'Never');
      const before = nodePid();
      const mounts = mountsOf(before);
      process.kill(before, 'SIGKILL');
      await waitFor('nothing of it runs', () =>
        processesIn(mounts).length === 0 ? true : undefined,
      );
      expect((await dev('status')).stdout).toMatch(/real-node +DOWN/);
      const { code, stderr } = await dev('up');
      expect([code, stderr]).toEqual([0, expect.stringContaining('real-node is down')]);
      expect((await podEnd(cluster, 'default', 'lost')).status?.phase).toBe('Failed');
      const after = await runPod(cluster, 'default', scriptPod('after', 'true'));
      expect(after.status?.phase).toBe('Succeeded');
    },
    startWithinMs,
  );

  test(
    'leaves nothing behind when it is stopped, with pods that run',
    async () => {
      await startSleeper('running', 'Always');
      const mounts = mountsOf(nodePid());
      expect(processesIn(mounts).length).toBeGreaterThan(4);
      expect(traces().length).toBeGreaterThan(4);
      expect((await dev('down')).code).toBe(0);
      expect(processesIn(mounts)).toEqual([]);
      expect(traces()).toEqual([]);
    },
    startWithinMs,
  );
});
