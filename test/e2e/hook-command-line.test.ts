import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import type { ConfigTree, HookTree, TreeList } from '../../src/client/tree/tree.js';
import type { HookOutcome } from '../../src/contracts/hook.js';
import { hookWorkflowId } from '../../src/contracts/hook.js';
import { hookPodName } from '../../src/domain/shared/hook.js';
import { configAnnotations } from '../../src/kubernetes/deployment-configs/annotations.js';
import type { KubernetesObject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { ConfigTrial } from '../support/config-trial.js';
import { DeploymentTrial, sharedServers } from '../support/deployment-trial.js';
import { HookTrial } from '../support/hook-trial.js';
import { writeLimitedKubeconfig } from '../support/limited-kubeconfig.js';
import { runSlipway, startSlipway, type CommandResult } from '../support/slipway-command.js';
import { waitFor } from '../support/wait-for.js';

const servers = sharedServers();
const env = { KUBECONFIG: servers.kubeconfig, TEMPORAL_ADDRESS: servers.temporalAddress };

let trial: ConfigTrial;
let hooks: HookTrial;
let folder = '';

beforeAll(async () => {
  trial = await ConfigTrial.open(servers);
  hooks = new HookTrial(trial);
  folder = await mkdtemp(join(tmpdir(), 'slipway-hooks-'));
});
afterAll(async () => {
  await trial.close();
  await rm(folder, { recursive: true });
});

const slipway = (...words: string[]): Promise<CommandResult> =>
  runSlipway([...words, '-n', trial.namespace], { env });

const ref = (name: string): string => `deploymentconfig.apps.openshift.io/${name}`;

const exec = (failurePolicy: string) => ({
  failurePolicy,
  execNewPod: { command: ['rake', 'db:migrate'], containerName: 'web' },
});

const recreate = (recreateParams: object, more: object = {}) => ({
  replicas: 1,
  strategy: { type: 'Recreate', recreateParams, ...more },
});

async function getHooks(name: string): Promise<readonly HookTree[]> {
  const { stdout } = await slipway('get', `dc/${name}`, '-o', 'json');
  const [item] = (JSON.parse(stdout) as TreeList).items;
  return (item as ConfigTree).versions[0]?.hooks ?? [];
}

/** The notes of the events about a config, oldest first. */
async function eventsOf(name: string): Promise<string[]> {
  const { items } = await trial.cluster.client.list<KubernetesObject>(
    resources.events,
    trial.namespace,
    { fieldSelector: `regarding.name=${name}` },
  );
  return (items as readonly { reason?: string; note?: string; eventTime?: string }[])
    .toSorted((a, b) => (a.eventTime ?? '').localeCompare(b.eventTime ?? ''))
    .map(({ reason, note }) => `${reason ?? ''}: ${note ?? ''}`);
}

const runOf = (name: string, version: number, moment: 'pre' | 'post') =>
  trial.temporal.workflow.getHandle(
    hookWorkflowId({ cluster: 'local', namespace: trial.namespace, name, version, moment }),
  );

describe('each try of a hook', () => {
  test('is in get, in an event and in the history of its run', async () => {
    await trial.create('twice', recreate({ pre: exec('Retry'), post: exec('Abort') }));
    const message = 'migrating\nno such table';
    await hooks.end('twice-1', 'pre', 3, { message });
    const again = await hooks.until('twice-1', 'pre', 2);
    await hooks.untilPhase('twice-1', 'pre', 'Running');
    const half = await slipway('get', 'dc/twice');
    expect(half.stdout).toMatch(/├─ pre hook {3}Running {4}Retry {2}2 tries\n/);
    expect(half.stdout).toMatch(
      /│ {2}├─ try 1 {2}Failed {3}twice-1-hook-pre {4}exit 3 {2}took \d+s {2}\d+s {2}Error\n/,
    );
    expect(half.stdout).toMatch(/│ {2}│ {5}migrating\n.+│ {2}│ {5}no such table\n/);
    expect(half.stdout).toMatch(/│ {2}└─ try 2 {2}Running {2}twice-1-hook-pre-2 .*\d+s\n/);
    expect(half.stdout).toMatch(/[├└]─ post hook {2}not begun {2}Abort\n/);
    await hooks.end('twice-1', 'pre', 0, { number: 2 });
    await hooks.end('twice-1', 'post', 0, { message: 'told them' });
    await trial.untilPhase('twice-1', 'Complete');

    const whole = await slipway('get', 'dc/twice');
    expect(whole.stdout).toMatch(/pre hook {3}Succeeded {2}Retry {2}2 tries\n/);
    expect(whole.stdout).toMatch(
      /post hook {2}Succeeded {2}Abort {2}twice-1-hook-post {2}exit 0 {2}took \d+s {2}\d+s\n/,
    );
    const [pre, post] = await getHooks('twice');
    expect(pre).toMatchObject({
      moment: 'pre',
      policy: 'Retry',
      phase: 'Succeeded',
      reason: null,
      ended: 2,
      tries: [
        {
          number: 1,
          pod: 'twice-1-hook-pre',
          phase: 'Failed',
          exitCode: 3,
          reason: 'Error',
          tail: message,
          gone: false,
        },
        {
          number: 2,
          pod: 'twice-1-hook-pre-2',
          phase: 'Succeeded',
          exitCode: 0,
          reason: null,
          tail: null,
          created: again.metadata.creationTimestamp,
          gone: false,
        },
      ],
    });
    expect(post?.tries).toMatchObject([{ number: 1, exitCode: 0, tail: 'told them' }]);

    const events = await waitFor('the events of both hooks', async () => {
      const all = await eventsOf('twice');
      return all.filter((note) => note.startsWith('HookSucceeded')).length === 2 ? all : undefined;
    });
    expect(events).toContain(
      'HookTryFailed: Try 1 of the pre hook of "twice-1" failed: pod "twice-1-hook-pre" failed with exit code 3: migrating | no such table',
    );
    expect(events).toContain(
      'HookSucceeded: The pre hook of "twice-1" has succeeded; pod twice-1-hook-pre-2 succeeded with exit code 0',
    );
    expect(events).toContain(
      'HookSucceeded: The post hook of "twice-1" has succeeded; pod twice-1-hook-post succeeded with exit code 0: told them',
    );

    const run = runOf('twice', 1, 'pre');
    const result = (await run.result()) as HookOutcome;
    expect(result).toMatchObject({
      phase: 'Succeeded',
      tries: [
        { number: 1, exitCode: 3, reason: 'Error', tail: message },
        { number: 2, exitCode: 0 },
      ],
    });
    const told = JSON.stringify(await run.fetchHistory());
    const steps = [...told.matchAll(/"data":"([^"]+)"/g)]
      .map(([, data = '']) => Buffer.from(data, 'base64').toString())
      .join('\n');
    expect(steps).toContain('failed with exit code 3: migrating\\nno such table');
    expect(steps).toContain('pod twice-1-hook-pre-2 succeeded with exit code 0');
  }, 120_000);

  test('is known when its pod is gone, and when its version is tried again', async () => {
    await trial.create('gone', recreate({ pre: exec('Abort') }));
    await hooks.end('gone-1', 'pre', 137, { message: 'out of memory' });
    await trial.untilPhase('gone-1', 'Failed');
    await expect(runOf('gone', 1, 'pre').result()).rejects.toMatchObject({
      cause: { details: [{ tries: [{ number: 1, exitCode: 137, tail: 'out of memory' }] }] },
    });
    const { client } = trial.cluster;
    await client.delete(resources.pods, trial.namespace, hookPodName('gone-1', 'pre'));
    await waitFor('the pod is gone', async () =>
      (await hooks.find('gone-1', 'pre')) === undefined ? true : undefined,
    );
    const { stdout } = await slipway('get', 'dc/gone');
    expect(stdout).toMatch(
      /pre hook {2}Failed {2}Abort {2}gone-1-hook-pre {2}exit 137 .+its pod is gone/,
    );
    expect(stdout).toContain('      out of memory\n');
    const read = await slipway('logs', 'dc/gone');
    expect(read).toEqual({
      code: 0,
      stdout: 'out of memory\n',
      stderr:
        'slipway: pod gone-1-hook-pre is gone; it failed with exit code 137, and this is the end of its log:\n',
    });
    const followed = await slipway('logs', 'dc/gone', '-f');
    expect(followed).toMatchObject({ code: 1, stdout: 'out of memory\n' });
    expect(followed.stderr).toContain(`slipway: version 1 of ${ref('gone')} has failed\n`);

    await trial.annotateVersion('gone-1', { [configAnnotations.retry]: 'now' });
    await hooks.end('gone-1', 'pre', 0, { number: 2 });
    await trial.untilPhase('gone-1', 'Complete');
    const [hook] = await getHooks('gone');
    expect(hook?.tries).toMatchObject([
      { number: 1, exitCode: 137, gone: true },
      { number: 2, exitCode: 0, gone: false },
    ]);
  }, 120_000);

  test('that waits says what for', async () => {
    const resourcesOf = { requests: { cpu: '5k' } };
    await trial.create('stuck', recreate({ pre: exec('Abort') }, { resources: resourcesOf }));
    const pattern =
      /pre hook {2}Pending {2}Abort {2}stuck-1-hook-pre {2}\d+s {2}Unschedulable: 0\/\d+ nodes/;
    await waitFor('get says that no node is free', async () => {
      const { stdout } = await slipway('get', 'dc/stuck');
      return pattern.test(stdout) ? true : undefined;
    });
    const read = await slipway('logs', 'dc/stuck');
    expect(read).toMatchObject({ code: 0, stdout: '' });
    expect(read.stderr).toMatch(
      /^slipway: pod stuck-1-hook-pre has not started \(Unschedulable: 0\/\d+ nodes .+\)\n$/,
    );
    const following = startSlipway(['logs', 'dc/stuck', '-f', '-n', trial.namespace], env);
    let said = '';
    following.stderr?.on('data', (text: Buffer) => (said += text.toString()));
    await waitFor('-f says what it waits for', () =>
      said.includes('has not started (Unschedulable') ? true : undefined,
    );
    const ended = once(following, 'exit');
    await trial.annotateVersion('stuck-1', { [configAnnotations.cancelled]: 'true' });
    expect(await ended).toEqual([3, null]);
    expect(said).toContain(`version 1 of ${ref('stuck')} was cancelled`);
  }, 120_000);

  test('is a line for each change with -w', async () => {
    await trial.create('lines', recreate({ pre: exec('Retry') }));
    await hooks.until('lines-1', 'pre');
    const watching = startSlipway(['get', 'dc/lines', '-w', '-n', trial.namespace], env);
    let printed = '';
    watching.stdout?.on('data', (text: Buffer) => (printed += text.toString()));
    const until = (text: string) =>
      waitFor(`-w prints ${text}`, () => (printed.includes(`${text}\n`) ? true : undefined));
    await until(`${ref('lines')} lines-1 pre hook Running: 1 try`);
    await hooks.end('lines-1', 'pre', 1, { message: 'first\nno table' });
    await until(`${ref('lines')} lines-1-hook-pre Failed, exit 1: Error: no table`);
    await hooks.end('lines-1', 'pre', 0, { number: 2 });
    await until(`${ref('lines')} lines-1 pre hook Succeeded: 2 tries`);
    const ended = once(watching, 'exit');
    watching.kill('SIGINT');
    await ended;
  }, 120_000);
});

describe('logs says in one sentence', () => {
  beforeAll(async () => {
    await trial.create('plain', { replicas: 1 });
    await trial.create('hooked', recreate({ pre: exec('Retry'), post: exec('Abort') }));
    await hooks.end('hooked-1', 'pre', 0);
    await hooks.end('hooked-1', 'post', 0);
    await trial.create('idle', { replicas: 1, triggers: [] });
    await Promise.all(['plain-1', 'hooked-1'].map((name) => trial.untilPhase(name, 'Complete')));
  }, 120_000);

  const version = `version 1 of ${ref('hooked')}`;

  test.each<[string, readonly string[], string]>([
    ['that there is no such object', ['dc/nobody'], 'has no such DeploymentConfig'],
    ['that there is no version', ['dc/idle'], `${ref('idle')}: it has no version yet`],
    ['that there is no such version', ['dc/hooked', '--revision', '7'], 'which has 1'],
    [
      'that there are neither hooks nor deployers',
      ['dc/plain'],
      `version 1 of ${ref('plain')} has no hooks and no deployer`,
    ],
    [
      'that there is no such hook',
      ['dc/hooked', '--hook', 'mid'],
      `--hook: ${version} has no mid hook; it has pre, post`,
    ],
    [
      'that there is no such hook to be followed',
      ['dc/hooked', '--hook', 'abort', '-f'],
      `--hook: ${version} has no abort hook; it has pre, post`,
    ],
    [
      'that there is no such try',
      ['dc/hooked', '--hook', 'pre', '--try', '2'],
      `--try: there is no try 2 of the pre hook of ${version}; 1 is known`,
    ],
    [
      'that a try is of a hook',
      ['dc/hooked', '--try', '1'],
      '--try: say of which hook with --hook',
    ],
    ['that there is no deployer', ['dc/hooked', '--deployer'], `--deployer: ${version} has none`],
    [
      'that a kind has none',
      ['deployment.apps/web'],
      'deployment.apps/web: "logs" shows the hooks and deployers of DeploymentConfigs and of Deployments of slipway.dev',
    ],
    ['that a kind has none at all', ['ir/web'], 'ir/web: "logs" shows the hooks and deployers'],
  ])('%s', async (_what, words, sentence) => {
    const { code, stdout, stderr } = await slipway('logs', ...words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).toMatch(/^slipway: [^\n]+\n$/);
  });

  test.each([[[]], [['-f']]])('that one may not read logs, with %j', async (words: string[]) => {
    const path = join(folder, `kubeconfig-${words.length}`);
    const name = `onlooker-${words.length}`;
    const { client } = trial.cluster;
    const { kubeconfig } = servers;
    const { namespace } = trial;
    await writeLimitedKubeconfig({ client, namespace, name, kubeconfig, path });
    const all = ['logs', 'dc/hooked', '-n', namespace, '--kubeconfig', path, ...words];
    const { code, stdout, stderr } = await runSlipway(all);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      `slipway: you may not read logs in namespace ${namespace}: that takes the right to get pods/log\n`,
    );
  });

  test('that a node does not give its logs, with what was kept', async () => {
    // The nodes here are kwok's, which keep none.
    const { code, stderr } = await slipway('logs', 'dc/hooked', '--hook', 'pre');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^slipway: the log of pod hooked-1-hook-pre can't be read: .+; it succeeded with exit code 0\n$/,
    );
  });
});

test('hooks that are kept with a ReplicaSet are shown and read in the same way', async () => {
  const deployments = await DeploymentTrial.open(servers);
  const api = 'slipway.dev/v1alpha1';
  const { namespace, cluster } = deployments;
  const said = (...words: string[]) => runSlipway([...words, '-n', namespace], { env });
  try {
    await deployments.create(api, 'web', { replicas: 1 });
    await deployments.untilComplete(api, 'web');
    const none = await said('logs', 'deployment/web');
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('revision 1 of deployment.slipway.dev/web has no hooks');
    const [set] = await deployments.replicaSets('web');
    const name = set?.metadata.name ?? '';
    const pod = hookPodName(name, 'pre');
    const endedAtMs = Date.now();
    const tries = [{ number: 1, pod, endedAtMs, exitCode: 1, reason: 'Error', tail: 'no table' }];
    const annotations = {
      'openshift.io/deployment.lifecycle.pre.execnewpod.pod': pod,
      'openshift.io/deployment.lifecycle.pre.execnewpod.phase': 'Failed',
      'slipway.dev/hook.pre': JSON.stringify({ ended: 1, tries }),
    };
    const body = { metadata: { annotations } };
    await cluster.client.patch(resources.replicaSets, namespace, name, 'merge', body);
    const { stdout } = await said('get', 'deployment/web');
    expect(stdout).toMatch(
      /├─ pre hook {2}Failed {2}web-\S+-hook-pre {2}exit 1 {2}.+its pod is gone/,
    );
    expect(await said('logs', 'deployment/web', '--hook', 'pre')).toMatchObject({
      code: 0,
      stdout: 'no table\n',
    });
    // With one that is there, which has none of the Deployment's labels.
    await cluster.client.create(resources.pods, {
      metadata: {
        name: `${pod}-2`,
        namespace,
        labels: {
          'openshift.io/deployer-pod-for.name': name,
          'openshift.io/deployer-pod.type': 'hook-pre',
        },
        annotations: { 'slipway.dev/hook-try': '2' },
      },
      spec: {
        restartPolicy: 'Never',
        containers: [{ name: 'lifecycle', image: 'example.com/web:1' }],
      },
    } as KubernetesObject);
    await waitFor('get shows the second try', async () => {
      const seen = await said('get', 'deployment/web');
      return /try 2 {2}Running {2}web-\S+-hook-pre-2/.test(seen.stdout) ? true : undefined;
    });
  } finally {
    await deployments.close();
  }
}, 120_000);
