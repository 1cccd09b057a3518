import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

import type { HistoryEntry } from '../../src/client/history/history-entry.js';
import type { ConfigTree, TreeList } from '../../src/client/tree/tree.js';
import { configAnnotations } from '../../src/kubernetes/deployment-configs/annotations.js';
import { annotations } from '../../src/kubernetes/deployments/annotations.js';
import type { ImageRepository } from '../../src/kubernetes/image-repositories/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { ConfigTrial, reasonOf } from '../support/config-trial.js';
import { sharedServers } from '../support/deployment-trial.js';
import { runSlipway, startSlipway, type CommandResult } from '../support/slipway-command.js';
import { SilentRepository } from '../support/silent-repository.js';
import { waitFor } from '../support/wait-for.js';

const servers = sharedServers();
const env = { KUBECONFIG: servers.kubeconfig, TEMPORAL_ADDRESS: servers.temporalAddress };
const broken = 'example.com/web:404';

let trial: ConfigTrial;
/** Who the stack's kubeconfig says we are. */
let me = '';
let folder = '';

beforeAll(async () => {
  trial = await ConfigTrial.open(servers);
  folder = await mkdtemp(join(tmpdir(), 'slipway-configs-'));
  const review = await trial.cluster.client.create(resources.selfSubjectReviews, {
    metadata: { name: '' },
  });
  me =
    (review as { status?: { userInfo?: { username?: string } } }).status?.userInfo?.username ?? '';
});
afterAll(async () => {
  await trial.close();
  await rm(folder, { recursive: true });
});

const slipway = (...words: string[]): Promise<CommandResult> =>
  runSlipway([...words, '-n', trial.namespace], { env });

const deploy = (object: object, ...words: string[]): Promise<CommandResult> =>
  runSlipway(['deploy', '-n', trial.namespace, '-f', '-', ...words], {
    env,
    input: JSON.stringify(object),
  });

const ref = (name: string): string => `deploymentconfig.apps.openshift.io/${name}`;

function manifest(name: string, image = 'example.com/web:1', spec: object = {}) {
  return {
    apiVersion: 'apps.openshift.io/v1',
    kind: 'DeploymentConfig',
    metadata: { name },
    spec: {
      replicas: 2,
      selector: { app: name },
      template: trial.template(name, image),
      ...spec,
    },
  };
}

async function getTree(name: string): Promise<ConfigTree> {
  const { stdout } = await slipway('get', `dc/${name}`, '-o', 'json');
  const [item] = (JSON.parse(stdout) as TreeList).items;
  if (item?.kind !== 'DeploymentConfig') throw new Error(`no DeploymentConfig: ${stdout}`);
  return item;
}

/** A config with a complete version 1 and a version 2 that goes on for ever. */
async function createStuck(name: string, spec: object = {}): Promise<void> {
  await trial.create(name, { replicas: 2, ...spec });
  await trial.untilPhase(`${name}-1`, 'Complete');
  await trial.setImage(name, broken);
  await trial.untilPhase(`${name}-2`, 'Running');
}

describe('deploy', () => {
  test('follows the version that it causes, and says when it causes none', async () => {
    const first = await deploy(manifest('web'));
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/complete after \S+: version 1, 2\/2 ready/);
    const same = await deploy(manifest('web'));
    expect(same.stdout).toContain(`${ref('web')}: nothing to deploy: version 1 stands\n`);
    expect(same.code).toBe(0);
    const second = await deploy(manifest('web', 'example.com/web:2'));
    expect(second.stdout).toMatch(/complete after \S+: version 2, 2\/2 ready/);
    expect(second.code).toBe(0);
    const scaled = await deploy(manifest('web', 'example.com/web:2', { replicas: 3 }));
    expect(scaled.stdout).toContain('nothing to deploy: version 2 stands');
  });

  test('names what the pods complain about when a version fails', async () => {
    const strategy = { type: 'Rolling', rollingParams: { timeoutSeconds: 3 } };
    const { code, stdout } = await deploy(manifest('sick', broken, { strategy }));
    expect(code).toBe(1);
    expect(stdout).toMatch(/sick: failed after \S+: version 1, .+ it made no progress/);
    expect(stdout).toMatch(/^ {2}2 pods of version 1: \w+ \(sick-1-\w+, sick-1-\w+\)$/m);
    const again = await deploy(manifest('sick', broken, { strategy }));
    expect(again.stdout).toContain('nothing to deploy: version 1 stands, and is failed');
    expect(again.code).toBe(1);
  });

  test('a version that somebody cancels ends it with 3', async () => {
    const following = deploy(manifest('halted', broken));
    await trial.untilPhase('halted-1', 'Running');
    const cancelled = await slipway('cancel', 'dc/halted', '--reason', 'wrong image');
    expect(cancelled).toMatchObject({ code: 0, stdout: `${ref('halted')}: version 1 cancelled\n` });
    const { code, stdout } = await following;
    expect(code).toBe(3);
    expect(stdout).toContain(`Version 1: cancelled by ${me}: wrong image`);
  });

  test('says which image it waits for, and goes on when it is there', async () => {
    const params = {
      automatic: true,
      containerNames: ['web'],
      from: { kind: 'ImageStreamTag', name: 'shop:latest' },
    };
    const waiting = manifest('blank', ' ', {
      triggers: [{ type: 'ImageChange', imageChangeParams: params }],
    });
    const early = await deploy(waiting, '--timeout', '4s');
    expect(early.code).toBe(1);
    expect(early.stdout).toContain(
      `waiting. It waits for the image of ${trial.namespace}/shop:latest: there is no such ImageRepository here`,
    );
    expect(early.stderr).toContain('--timeout: not complete after 4s');
    expect(await getTree('blank')).toMatchObject({
      phase: 'Waiting',
      latestVersion: 0,
      waitsFor: [`${trial.namespace}/shop:latest`],
      versions: [],
    });
    const file = join(folder, 'blank.json');
    await writeFile(file, JSON.stringify(waiting));
    const child = startSlipway(['deploy', '-n', trial.namespace, '-f', file], env);
    let stdout = '';
    child.stdout?.on('data', (text: Buffer) => (stdout += text.toString()));
    const ended = once(child, 'exit') as Promise<[number | null]>;
    await waitFor('it says that it waits', () => (stdout.includes('waiting.') ? true : undefined));
    await (await SilentRepository.create(trial, 'shop')).set('a');
    expect((await ended)[0]).toBe(0);
    expect(stdout).toMatch(/complete after \S+: version 1, 2\/2 ready/);
    expect((await getTree('blank')).versions[0]?.causes).toEqual([
      `image change of ${trial.namespace}/shop:latest`,
    ]);
  });

  test('several objects side by side, and the worst end counts', async () => {
    const list = {
      apiVersion: 'v1',
      kind: 'List',
      items: [manifest('left'), manifest('right', 'example.com/web:1', { triggers: [] })],
    };
    const { code, stdout } = await deploy(list);
    expect(code).toBe(0);
    expect(stdout).toMatch(/left: complete after/);
    expect(stdout).toContain('right: nothing to deploy. It has no version');
  });
});

describe('reading', () => {
  beforeAll(async () => {
    await trial.create('read', { replicas: 2 });
    await trial.untilPhase('read-1', 'Complete');
    await trial.patch('read', { spec: { strategy: { type: 'Recreate' } } });
    await trial.setImage('read', 'example.com/web:2');
    await trial.untilPhase('read-2', 'Complete');
    await trial.untilServing('read-1', 0);
  });

  test('get shows the tree, as text and as data', async () => {
    const [text, words, tree] = await Promise.all([
      slipway('get', 'deploymentconfig/read'),
      slipway('get', 'dc', 'read'),
      getTree('read'),
    ]);
    expect(text.stdout).toMatch(
      /^deploymentconfig\.apps\.openshift\.io\/read {2}Complete {2}version 2, 2 of 2 updated/,
    );
    expect(text.stdout).toMatch(
      /├─ version 2 {2}Complete {2}read-2 {2}example\.com\/web:2 {2}2\/2/,
    );
    expect(text.stdout).toContain('1 older version without pods');
    expect(words.code).toBe(0);
    expect(tree).toMatchObject({
      phase: 'Complete',
      paused: false,
      strategy: 'Recreate',
      triggers: 'config',
      latestVersion: 2,
      waitsFor: [],
    });
    const [newest, oldest] = tree.versions;
    expect(newest).toMatchObject({
      version: 2,
      replicationController: 'read-2',
      current: true,
      phase: 'Complete',
      cancelled: false,
      reason: null,
      causes: ['config change'],
      by: null,
      images: ['example.com/web:2'],
      replicas: { desired: 2, ready: 2, available: 2 },
      jobs: [],
    });
    expect(newest?.pods).toHaveLength(2);
    expect(oldest).toMatchObject({ version: 1, current: false, pods: [] });
  });

  test('get without a kind shows all of them', async () => {
    const repository: ImageRepository = {
      metadata: { name: 'images', namespace: trial.namespace },
      spec: { repository: 'registry.invalid/shop/web' },
    };
    await trial.cluster.client.create(resources.imageRepositories, repository);
    const [all, one] = await Promise.all([
      slipway('get', '-o', 'json'),
      slipway('get', 'ir/images'),
    ]);
    const kinds = (JSON.parse(all.stdout) as TreeList).items.map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(['DeploymentConfig', 'ImageRepository']));
    expect(one.stdout).toMatch(
      /^imagerepository\.slipway\.dev\/images {2}\w+ {2}registry\.invalid/,
    );
  });

  test('the deployer and the hooks of a version stand below it', async () => {
    const job = {
      metadata: {
        name: 'read-2-hook-pre',
        namespace: trial.namespace,
        labels: { 'openshift.io/deployer-pod-for.name': 'read-2' },
      },
      spec: { restartPolicy: 'Never', containers: [{ name: 'hook', image: 'example.com/hook' }] },
    };
    await trial.cluster.client.create(resources.pods, job);
    const [version] = (await getTree('read')).versions;
    expect(version?.jobs).toMatchObject([{ name: 'read-2-hook-pre', role: 'hook-pre' }]);
    expect(version?.pods).toHaveLength(2);
  });

  test('-w prints a line for each change', async () => {
    const child = startSlipway(['get', 'dc/read', '-w', '-n', trial.namespace], env);
    let printed = '';
    child.stdout?.on('data', (text: Buffer) => (printed += text.toString()));
    await waitFor('the first picture', () =>
      printed.includes('read-2 version 2') ? true : undefined,
    );
    await trial.patch('read', { spec: { replicas: 3 } });
    await waitFor('the new size', () => (printed.includes('3/3 ready') ? true : undefined));
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
  });

  test('history lists versions and runs, and shows one of them', async () => {
    const [text, json, old] = await Promise.all([
      slipway('history', 'dc/read'),
      slipway('history', 'dc/read', '-o', 'json'),
      slipway('history', 'dc/read', '--revision', '1'),
    ]);
    expect(text.stdout).toMatch(/^REVISION +WHEN +WHO +WHY +WHAT +TOOK +ENDED$/m);
    expect(text.stdout).toMatch(
      /^2 \* +\S+ ago +slipway +config change +web:1 → :2 +\d+s +Complete$/m,
    );
    expect(text.stdout).toMatch(/^\S+ ago +\S+ +2 +completed: Complete +[-\w]{36}$/m);
    const entries = JSON.parse(json.stdout) as HistoryEntry[];
    expect(entries.map(({ revision }) => revision)).toEqual([2, 1]);
    for (const { runs } of entries) expect(runs?.length).toBeGreaterThan(0);
    expect(old.stdout).toMatch(
      /^# deploymentconfig\.apps\.openshift\.io\/read, version 1, read-1\n/,
    );
    expect(parse(old.stdout)).toMatchObject({
      kind: 'DeploymentConfig',
      spec: { template: { spec: { containers: [{ image: 'example.com/web:1' }] } } },
    });
  });

  test('diff compares the specs of two versions, or of one and now', async () => {
    const [two, now] = await Promise.all([
      slipway('diff', 'dc/read', '--revision', '1', '--revision', '2'),
      slipway('diff', 'dc/read', '--revision', '1', '-o', 'json'),
    ]);
    expect(two.stdout).toContain('+++ deploymentconfig.apps.openshift.io/read version 2');
    expect(two.stdout).toMatch(/^- +- image: example\.com\/web:1$/m);
    const document = JSON.parse(now.stdout) as { from: number; to: null; changes: object[] };
    expect(document).toMatchObject({ from: 1, to: null });
    expect(document.changes).toContainEqual({
      path: 'template.spec.containers[0].image',
      from: 'example.com/web:1',
      to: 'example.com/web:2',
    });
  });
});

describe('trigger', () => {
  test('makes a version by hand, names it, and follows it', async () => {
    await trial.create('manual', { replicas: 1, triggers: [] });
    const { code, stdout } = await slipway('trigger', 'dc/manual', '--reason', 'first');
    expect(code).toBe(0);
    expect(stdout).toContain(`${ref('manual')}: version 1 made: manual-1\n`);
    expect(stdout).toMatch(/manual: complete after \S+: version 1, 1\/1 ready/);
    expect((await getTree('manual')).versions[0]).toMatchObject({
      causes: ['manual change (first)'],
      by: me,
    });
    const second = await slipway('trigger', 'dc/manual', '--no-follow');
    expect(second).toMatchObject({ code: 0 });
    expect(second.stdout).toMatch(/version 2 made: manual-2\n$/);
  });
});

describe('control', () => {
  test('pause and resume write the spec, and who and why', async () => {
    await createStuck('held');
    expect(await slipway('pause', 'dc/held', '--reason', 'lunch')).toMatchObject({
      code: 0,
      stdout: `${ref('held')} paused\n`,
    });
    const paused = await trial.get('held');
    expect(paused.spec.paused).toBe(true);
    expect(paused.metadata.annotations?.[annotations.pauseReason]).toBe('lunch');
    expect(await getTree('held')).toMatchObject({ phase: 'Paused', paused: true });
    const again = await slipway('pause', 'dc/held');
    expect(again.stdout).toContain('is paused already: lunch');
    expect((await slipway('resume', 'dc/held')).stdout).toBe(`${ref('held')} resumed\n`);
    const resumed = await trial.get('held');
    expect(resumed.spec.paused ?? false).toBe(false);
    expect(resumed.metadata.annotations?.[annotations.pauseReason]).toBeUndefined();
    const { items } = await trial.cluster.client.list(resources.events, trial.namespace);
    const notes = (items as { note?: string }[]).map(({ note }) => note);
    expect(notes).toEqual(expect.arrayContaining([`Paused by ${me}: lunch`, `Resumed by ${me}`]));
  });

  test('cancel, then retry, then nothing to cancel', async () => {
    await createStuck('again');
    expect(await slipway('cancel', 'dc/again')).toMatchObject({ code: 0 });
    const failed = await trial.untilPhase('again-2', 'Failed');
    expect(reasonOf(failed)).toBe(`cancelled by ${me}`);
    expect((await getTree('again')).phase).toBe('Cancelled');
    expect(await slipway('cancel', 'dc/again')).toMatchObject({
      code: 2,
      stderr: `slipway: ${ref('again')}: there is nothing to cancel: version 2 has failed\n`,
    });
    expect(await slipway('retry', 'dc/again')).toMatchObject({
      code: 0,
      stdout: `${ref('again')}: version 2 is tried again\n`,
    });
    await trial.untilPhase('again-2', 'Running');
  });

  test('approve notes the step, who and why on the version that waits', async () => {
    const canary = { type: 'Rolling', canaryParams: { steps: [{ percent: 50, approve: true }] } };
    await createStuck('bird');
    // Written by hand, so that it is not up to a strategy when it waits.
    const version = await trial.version('bird-2');
    const snapshot = JSON.parse(
      version?.metadata.annotations?.[configAnnotations.encodedConfig] ?? '{}',
    ) as { spec: object };
    await trial.annotateVersion('bird-2', {
      [configAnnotations.encodedConfig]: JSON.stringify({
        ...snapshot,
        spec: { ...snapshot.spec, strategy: canary },
      }),
      [configAnnotations.canaryStep]: '0',
    });
    expect(await slipway('approve', 'dc/bird', '--step', '2')).toMatchObject({ code: 2 });
    expect(await slipway('approve', 'dc/bird', '--winner', 'new')).toMatchObject({ code: 2 });
    const approved = await slipway('approve', 'dc/bird', '--reason', 'fine');
    expect(approved).toMatchObject({
      code: 0,
      stdout: `${ref('bird')}: step 1 of version 2 approved\n`,
    });
    const written = (await trial.version('bird-2'))?.metadata.annotations ?? {};
    expect(JSON.parse(written[configAnnotations.approval] ?? '{}')).toEqual({
      step: 0,
      by: me,
      reason: 'fine',
    });
  });
});

describe('mistakes are one sentence, and exit code 2', () => {
  beforeAll(async () => {
    await trial.create('calm', { replicas: 1 });
    await trial.untilPhase('calm-1', 'Complete');
  });

  test.each([
    [['get', 'dc/nothing'], 'dc/nothing: namespace \\S+ has no such DeploymentConfig'],
    [['history', 'dc/nothing'], 'dc/nothing: namespace \\S+ has no such DeploymentConfig'],
    [['trigger', 'dc/nothing'], 'dc/nothing: namespace \\S+ has no such DeploymentConfig'],
    [
      ['history', 'dc/calm', '--revision', '9'],
      'calm: version 9 is not in its history, which has 1',
    ],
    [['diff', 'dc/calm', '--revision', '9'], 'calm: version 9 is not in its history, which has 1'],
    [
      ['diff', 'ir/web', '--revision', '1'],
      'ir/web: "diff" is for Deployments and DeploymentConfigs only',
    ],
    [['cancel', 'dc/calm'], 'calm: there is nothing to cancel: version 1 is complete'],
    [
      ['retry', 'dc/calm'],
      'calm: only a latest version that has failed can be tried again, and version 1 is complete',
    ],
    [['approve', 'dc/calm'], 'calm: there is nothing to approve: version 1 is complete'],
    [['trigger', 'deployment/web'], 'deployment/web: "trigger" is for DeploymentConfigs only'],
    [['approve', 'deployment/web'], 'deployment/web: "approve" is for DeploymentConfigs only'],
    [['trigger', 'ir/web'], 'ir/web: "trigger" is for DeploymentConfigs only'],
    [['pause', 'ir/web'], 'ir/web: "pause" is for Deployments and DeploymentConfigs only'],
    [
      ['undo', 'dc/calm'],
      'dc/calm: release: no version of calm before 1, its current one, was complete; nothing was changed',
    ],
    [['undo', 'ir/web'], 'ir/web: "undo" is for Deployments and DeploymentConfigs only'],
    [['history', 'dcc/calm'], 'KIND: "dcc" is not a kind that Slipway knows; did you mean dc\\?'],
  ])('%j', async (words, sentence) => {
    const { code, stdout, stderr } = await slipway(...words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(new RegExp(`^slipway: .*${sentence}.*\\n$`));
  });
});
