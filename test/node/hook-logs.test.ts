import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import type { ConfigTree, HookTree, TreeList } from '../../src/client/tree/tree.js';
import { busyboxImage } from '../../src/dev/node/standard-images.js';
import { resources } from '../../src/kubernetes/resources.js';
import { ConfigTrial, reasonOf } from '../support/config-trial.js';
import { sharedServers } from '../support/deployment-trial.js';
import { FollowedLogs } from '../support/followed-logs.js';
import { HookTrial } from '../support/hook-trial.js';
import { findKubectl, getPod, realNamespaceAnnotations, runKubectl } from '../support/real-node.js';
import { runSlipway, type CommandResult } from '../support/slipway-command.js';
import { waitFor } from '../support/wait-for.js';

const servers = sharedServers();
const env = { KUBECONFIG: servers.kubeconfig, TEMPORAL_ADDRESS: servers.temporalAddress };

let trial: ConfigTrial;
let hooks: HookTrial;
let kubectl = '';
const followed: FollowedLogs[] = [];

beforeAll(async () => {
  kubectl = await findKubectl();
  trial = await ConfigTrial.open(servers);
  hooks = new HookTrial(trial);
  const metadata = { annotations: realNamespaceAnnotations };
  const { client } = trial.cluster;
  await client.patch(resources.namespaces, undefined, trial.namespace, 'merge', { metadata });
}, 900_000);
afterAll(async () => {
  await Promise.all(followed.filter(({ isRunning }) => isRunning).map((one) => one.interrupt()));
  await trial.close();
});

const slipway = (...words: string[]): Promise<CommandResult> =>
  runSlipway([...words, '-n', trial.namespace], { env });

function follow(...words: string[]): FollowedLogs {
  const started = new FollowedLogs([...words, '-n', trial.namespace], env);
  followed.push(started);
  return started;
}

const exec = (failurePolicy: string, script: string) => ({
  failurePolicy,
  execNewPod: { containerName: 'web', command: ['sh', '-c', script] },
});

/** A config whose pods go on until they are asked to end. */
const create = (name: string, recreateParams: object, more: object = {}) =>
  trial.create(name, {
    replicas: 1,
    strategy: { type: 'Recreate', recreateParams, ...more },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [
          {
            name: 'web',
            image: busyboxImage,
            command: ['sh', '-c', 'trap "exit 0" TERM; sleep 3600 & wait'],
          },
        ],
      },
    },
  });

const ref = (name: string): string => `deploymentconfig.apps.openshift.io/${name}`;

async function getHooks(name: string): Promise<readonly HookTree[]> {
  const { stdout } = await slipway('get', `dc/${name}`, '-o', 'json');
  const [item] = (JSON.parse(stdout) as TreeList).items;
  return (item as ConfigTree).versions[0]?.hooks ?? [];
}

describe('the log of a hook that runs', () => {
  test('comes as it is written', async () => {
    const script = 'echo begun; until test -e /tmp/go; do sleep 0.2; done; echo gone on';
    await create('live', { pre: exec('Abort', script) });
    const logs = follow('dc/live');
    await logs.says('begun\n');
    const { status } = await getPod(trial.cluster, trial.namespace, 'live-1-hook-pre');
    expect([status?.phase, logs.isRunning]).toEqual(['Running', true]);
    const words = ['exec', '-n', trial.namespace, 'live-1-hook-pre', '--', 'touch', '/tmp/go'];
    expect(await runKubectl(kubectl, words)).toMatchObject({ code: 0 });
    expect(await logs.code()).toBe(0);
    // The only hook, tried once: nothing has to tell it from others.
    expect(logs.stdout).toBe('begun\ngone on\n');
    expect(logs.stderr).toContain('slipway: pod live-1-hook-pre succeeded with exit code 0\n');
    expect(logs.stderr).toContain(`slipway: version 1 of ${ref('live')} is complete\n`);
  });

  test('is waited for, however long it is silent', async () => {
    await create('silent', { pre: exec('Abort', 'sleep 33; printf "at last"') });
    const logs = follow('dc/silent', '--hook', 'pre');
    expect(await logs.code()).toBe(0);
    expect(logs.stdout).toBe('at last\n');
    expect(logs.stderr).not.toContain("can't be");
  });

  test('is no more than its last lines where those are wanted', async () => {
    const script = 'seq 1 500; until test -e /tmp/go; do sleep 0.2; done; echo gone on';
    await create('last', { pre: exec('Abort', script) });
    await hooks.until('last-1', 'pre');
    await waitFor('all of it is written', async () =>
      (await slipway('logs', 'dc/last')).stdout.endsWith('500\n') ? true : undefined,
    );
    const logs = follow('dc/last', '--tail', '2');
    await logs.says('500\n');
    const words = ['exec', '-n', trial.namespace, 'last-1-hook-pre', '--', 'touch', '/tmp/go'];
    expect(await runKubectl(kubectl, words)).toMatchObject({ code: 0 });
    expect(await logs.code()).toBe(0);
    expect(logs.stdout).toBe('499\n500\ngone on\n');
  });

  test('is whole, however long it is', async () => {
    // A busy container runtime drops the last of what was written in the moment of the exit.
    await create('long', { pre: exec('Abort', 'seq 1 20000; sleep 2') });
    const logs = follow('dc/long', '--hook', 'pre', '--try', '1');
    expect(await logs.code()).toBe(0);
    // All of it would be too much to read when it is not as it should be.
    const summarise = (text: string) => {
      const lines = text.split('\n');
      const odd = lines.findIndex((line, index) => line !== String(index + 1));
      return { count: lines.length - 1, odd: lines.slice(odd, odd + 3) };
    };
    const whole = { count: 20_000, odd: [''] };
    expect({ ...summarise(logs.stdout), remarks: logs.stderr }).toEqual({
      ...whole,
      remarks: 'slipway: pod long-1-hook-pre succeeded with exit code 0\n',
    });
    await trial.untilPhase('long-1', 'Complete');
    const { stdout } = await slipway('logs', 'dc/long');
    expect(summarise(stdout)).toEqual(whole);
    expect((await slipway('logs', 'dc/long', '--tail', '2')).stdout).toBe('19999\n20000\n');
    const again = await slipway('logs', 'dc/long', '--tail', '2', '-f');
    expect([again.code, again.stdout]).toEqual([0, '19999\n20000\n']);
    const stamped = await slipway('logs', 'dc/long', '--tail', '1', '--timestamps');
    expect(stamped.stdout).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z 20000\n$/);
  });
});

describe('a hook that is tried again', () => {
  const script =
    'echo migrating; case $(hostname) in *-2) echo done; exit 0;; esac; echo no such table; exit 3';

  test('is followed from try to try and on to the next hook', async () => {
    await create('twice', { pre: exec('Retry', script), post: exec('Abort', 'echo notified') });
    const logs = follow('dc/twice');
    expect(await logs.code()).toBe(0);
    expect(logs.stdout.split('\n')).toEqual([
      '[twice-1-hook-pre] migrating',
      '[twice-1-hook-pre] no such table',
      '[twice-1-hook-pre-2] migrating',
      '[twice-1-hook-pre-2] done',
      '[twice-1-hook-post] notified',
      '',
    ]);
    const told = logs.stderr.split('\n').filter((line) => line.startsWith('slipway: pod'));
    expect(told).toEqual([
      'slipway: pod twice-1-hook-pre failed with exit code 3',
      'slipway: pod twice-1-hook-pre-2 succeeded with exit code 0',
      'slipway: pod twice-1-hook-post succeeded with exit code 0',
    ]);
  });

  test('shows each try, with the end of its log where it failed', async () => {
    const [pre, post] = await getHooks('twice');
    expect(pre?.tries).toMatchObject([
      {
        number: 1,
        phase: 'Failed',
        exitCode: 3,
        reason: 'Error',
        tail: 'migrating\nno such table',
      },
      { number: 2, phase: 'Succeeded', exitCode: 0, reason: null },
    ]);
    expect(post).toMatchObject({ phase: 'Succeeded', tries: [{ number: 1, exitCode: 0 }] });
    const { stdout } = await slipway('get', 'dc/twice');
    expect(stdout).toMatch(/pre hook {3}Succeeded {2}Retry {2}2 tries/);
    expect(stdout).toMatch(/try 1 {2}Failed {5}twice-1-hook-pre {4}exit 3 {2}took \d+s/);
    expect(stdout).toMatch(/│ {2}│ {5}migrating\n.+│ {2}│ {5}no such table\n/);
  });

  test('has a log for each try', async () => {
    const second = await slipway('logs', 'dc/twice', '--hook', 'pre', '--try', '2');
    expect(second).toEqual({ code: 0, stdout: 'migrating\ndone\n', stderr: '' });
    const first = await slipway('logs', 'dc/twice', '--hook', 'pre', '--try', '1', '-f');
    expect(first.code).toBe(1);
    expect(first.stdout).toContain('no such table\n');
  });

  test('has an end that was kept when a pod is gone', async () => {
    const { client } = trial.cluster;
    await client.delete(resources.pods, trial.namespace, 'twice-1-hook-pre');
    await waitFor('the pod is gone', async () =>
      (await hooks.find('twice-1', 'pre')) === undefined ? true : undefined,
    );
    const { code, stdout, stderr } = await slipway('logs', 'dc/twice', '--hook', 'pre');
    expect(code).toBe(0);
    expect(stdout).toContain('[twice-1-hook-pre] no such table\n');
    expect(stdout).toContain('[twice-1-hook-pre-2] done\n');
    expect(stderr).toBe(
      'slipway: pod twice-1-hook-pre is gone; it failed with exit code 3, and this is the end of its log:\n',
    );
  });
});

describe('a hook that fails for good', () => {
  test('ends the following with its outcome', async () => {
    const script =
      'i=0; while [ $i -lt 90 ]; do i=$((i+1)); echo row $i of the table; done; exit 7';
    await create('bad', { pre: exec('Abort', script) });
    const logs = follow('dc/bad');
    expect(await logs.code()).toBe(1);
    expect(logs.stdout.trim().split('\n')).toHaveLength(90);
    expect(logs.stderr).toContain('slipway: pod bad-1-hook-pre failed with exit code 7\n');
    const [hook] = await getHooks('bad');
    const tail = hook?.tries[0]?.tail ?? '';
    // Not all of it: whole lines from the end.
    expect(tail).toMatch(/^row \d\d of the table\n[^]*\nrow 90 of the table$/);
    expect(tail.length).toBeLessThanOrEqual(400);
    const reason = reasonOf(await trial.untilPhase('bad-1', 'Failed'));
    expect(reason).toMatch(/^the pre hook failed: pod bad-1-hook-pre failed with exit code 7: row/);
  });

  test('of memory says so', async () => {
    const more = { resources: { limits: { memory: '8Mi' } } };
    // Held in a variable of the shell, which grows until its memory is used up.
    const script = 'x=0123456789abcdef; while :; do x=$x$x; done';
    await create('hungry', { pre: exec('Abort', script) }, more);
    await trial.untilPhase('hungry-1', 'Failed');
    const [hook] = await getHooks('hungry');
    expect(hook?.tries).toMatchObject([{ exitCode: 137, reason: 'OOMKilled' }]);
    expect(reasonOf(await trial.untilPhase('hungry-1', 'Failed'))).toContain(
      'failed with exit code 137 (OOMKilled)',
    );
  });

  test('at its deadline says so', async () => {
    const more = { activeDeadlineSeconds: 6 };
    const pre = exec('Abort', 'echo begun; sleep 600');
    await create('slow', { timeoutSeconds: 5, pre }, more);
    const logs = follow('dc/slow', '--hook', 'pre');
    expect(await logs.code()).toBe(1);
    expect(logs.stdout).toBe('begun\n');
    expect(logs.stderr).toContain('it did not succeed within 6 s');
    const [hook] = await getHooks('slow');
    expect(hook?.tries).toMatchObject([{ number: 1, reason: 'DeadlineExceeded' }]);
  });
});

describe('a deployer', () => {
  const custom = (script: string) => ({
    type: 'Custom',
    customParams: { image: busyboxImage, command: ['sh', '-c', script] },
  });

  test('is followed to its end, and its version with it', async () => {
    await trial.create('own', { replicas: 0, strategy: custom('echo deploying; sleep 1; exit 4') });
    const logs = follow('dc/own', '--deployer');
    expect(await logs.code()).toBe(1);
    expect(logs.stdout).toBe('deploying\n');
    expect(logs.stderr).toContain('slipway: pod own-1-deploy failed with exit code 4\n');
    await trial.untilPhase('own-1', 'Failed');
    expect((await slipway('logs', 'dc/own')).stdout).toBe('deploying\n');
  });
});

test('Ctrl-C ends the following, and nothing else', async () => {
  await create('left', { pre: exec('Abort', 'echo begun; sleep 600') });
  const logs = follow('dc/left');
  await logs.says('begun\n');
  expect(await logs.interrupt()).toBe(130);
  const { status } = await getPod(trial.cluster, trial.namespace, 'left-1-hook-pre');
  expect(status?.phase).toBe('Running');
});
