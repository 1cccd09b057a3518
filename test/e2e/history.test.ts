import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

import type { HistoryEntry } from '../../src/client/history/history-entry.js';
import type { DeploymentApi } from '../../src/domain/deployment/observation.js';
import { annotations } from '../../src/kubernetes/deployments/annotations.js';
import type { Deployment } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { ConfigTrial } from '../support/config-trial.js';
import { DeploymentTrial, sharedServers } from '../support/deployment-trial.js';
import { imageTrigger } from '../support/image-trial.js';
import { runSlipway, type CommandResult } from '../support/slipway-command.js';
import { digestOf, SilentRepository } from '../support/silent-repository.js';
import { waitFor } from '../support/wait-for.js';

const servers = sharedServers();
const env = { KUBECONFIG: servers.kubeconfig, TEMPORAL_ADDRESS: servers.temporalAddress };
const nobody = { ...env, TEMPORAL_ADDRESS: '127.0.0.1:1' };
const broken = 'example.com/web:404';
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

let deployments: DeploymentTrial;
let configs: ConfigTrial;
/** Who the stack's kubeconfig says we are. */
let me = '';

beforeAll(async () => {
  deployments = await DeploymentTrial.open(servers);
  configs = await ConfigTrial.open(servers);
  const review = await configs.cluster.client.create(resources.selfSubjectReviews, {
    metadata: { name: '' },
  });
  me =
    (review as { status?: { userInfo?: { username?: string } } }).status?.userInfo?.username ?? '';
  expect(me).not.toBe('');
});
afterAll(async () => {
  await Promise.all([deployments.close(), configs.close()]);
});

type Trial = Pick<DeploymentTrial, 'namespace'>;

const slipwayIn =
  (trial: () => Trial) =>
  (...words: string[]): Promise<CommandResult> =>
    runSlipway([...words, '-n', trial().namespace], { env });

async function expectDone(result: Promise<CommandResult>): Promise<string> {
  const { code, stdout, stderr } = await result;
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

async function historyOf(trial: Trial, ref: string): Promise<HistoryEntry[]> {
  const words = ['history', ref, '--no-runs', '-o', 'json', '-n', trial.namespace];
  return JSON.parse(await expectDone(runSlipway(words, { env }))) as HistoryEntry[];
}

/** Waits until the newest line of a history is like that. */
const untilNewest = (
  trial: Trial,
  ref: string,
  wanted: Partial<HistoryEntry>,
): Promise<HistoryEntry[]> =>
  waitFor(`the history of ${ref} begins with ${JSON.stringify(wanted)}`, async () => {
    const entries = await historyOf(trial, ref);
    const isThere = Object.entries(wanted).every(
      ([field, value]) => entries[0]?.[field as keyof HistoryEntry] === value,
    );
    return isThere ? entries : undefined;
  });

describe.each<DeploymentApi>(['slipway.dev/v1alpha1', 'apps/v1'])('a Deployment of %s', (api) => {
  const kind = api === 'apps/v1' ? 'deployment.apps' : 'deployment.slipway.dev';
  const slipway = slipwayIn(() => deployments);
  const prefix = api === 'apps/v1' ? 'old' : 'own';
  const nameOf = (name: string): string => `${prefix}-${name}`;
  const refOf = (name: string): string => `${kind}/${nameOf(name)}`;
  const deploy = (name: string, image: string, spec: object = {}): Promise<CommandResult> =>
    runSlipway(['deploy', '-f', '-', '--timeout', '60s'], {
      env,
      input: JSON.stringify(deployments.manifest(api, nameOf(name), spec, image)),
    });
  const newest = (name: string, wanted: Partial<HistoryEntry>): Promise<HistoryEntry[]> =>
    untilNewest(deployments, refOf(name), wanted);
  const createComplete = async (name: string, spec: object = {}): Promise<void> => {
    await deployments.create(api, nameOf(name), { replicas: 2, ...spec });
    await deployments.untilComplete(api, nameOf(name));
  };

  test('forth and back: who, when, why, from what to what, how long, how it ended', async () => {
    await expectDone(deploy('walk', 'example.com/web:1'));
    await expectDone(deploy('walk', 'example.com/web:2'));
    await newest('walk', { revision: 2, outcome: 'Complete' });
    await expectDone(slipway('undo', refOf('walk'), '--notes', 'too slow'));
    await newest('walk', { revision: 3, outcome: 'Complete' });
    await expectDone(slipway('undo', refOf('walk'), '--to-revision', '2'));
    const entries = await newest('walk', { revision: 4, outcome: 'Complete' });
    const mine = { who: me, manager: 'slipway', outcome: 'Complete', attempt: 1, tag: null };
    const [one, two] = ['example.com/web:1', 'example.com/web:2'];
    expect(entries).toMatchObject([
      {
        ...mine,
        revision: 4,
        current: true,
        backTo: 2,
        why: 'back to revision 2',
        from: { revision: 3, images: [one] },
        images: [two],
        replicas: { desired: 4, ready: 4 },
      },
      {
        ...mine,
        revision: 3,
        current: false,
        backTo: 1,
        why: 'back to revision 1: too slow',
        from: { revision: 2, images: [two] },
        images: [one],
      },
      {
        ...mine,
        revision: 2,
        backTo: null,
        why: 'new image',
        triggers: ['NewImage'],
        from: { revision: 1, images: [one] },
        images: [two],
      },
      { ...mine, revision: 1, why: 'manual change', from: null, images: [one] },
    ]);
    expect(entries[0]?.holder).toBe(entries[2]?.holder);
    expect(entries[1]?.holder).toBe(entries[3]?.holder);
    const times = entries.flatMap(({ startedAt, endedAt }) => [endedAt, startedAt]);
    for (const time of times) expect(time).toMatch(isoTime);
    expect([...times].sort().reverse()).toEqual(times);
    for (const { seconds } of entries) expect(seconds).toBeGreaterThan(0);

    const { metadata } = await deployments.get(api, nameOf('walk'));
    const own = Object.keys(metadata.annotations ?? {});
    expect(own.filter((name) => name.startsWith('slipway.dev/'))).toEqual([]);
  });

  test('any two revisions can be compared, by any number that they had', async () => {
    await expectDone(deploy('compared', 'example.com/web:1'));
    await expectDone(deploy('compared', 'example.com/web:2'));
    await expectDone(slipway('undo', refOf('compared')));
    await newest('compared', { revision: 3, outcome: 'Complete' });
    const diff = (...words: string[]): Promise<CommandResult> =>
      slipway('diff', refOf('compared'), ...words);
    const change = (from: string, to: string) => ({
      path: 'spec.containers[0].image',
      from: `example.com/web:${from}`,
      to: `example.com/web:${to}`,
    });
    const [forth, now, same, text, unknown] = await Promise.all([
      expectDone(diff('--revision', '1', '--revision', '2', '-o', 'json')),
      expectDone(diff('--revision', '2', '-o', 'yaml')),
      diff('--revision', '1', '--revision', '3'),
      expectDone(diff('--revision', '2', '--revision', '1')),
      diff('--revision', '7'),
    ]);
    expect(JSON.parse(forth)).toEqual({ from: 1, to: 2, changes: [change('1', '2')] });
    expect(parse(now)).toEqual({ from: 2, to: null, changes: [change('2', '1')] });
    expect(same).toEqual({
      code: 0,
      stdout: '',
      stderr: `${refOf('compared')}: the templates are the same\n`,
    });
    expect(text).toContain(`+++ ${refOf('compared')} revision 1`);
    expect(unknown).toEqual({
      code: 2,
      stdout: '',
      stderr: `slipway: ${refOf('compared')}: revision 7 is not in its history, which has 3, 2, 1\n`,
    });
    const shown = await expectDone(slipway('history', refOf('compared'), '--revision', '1'));
    expect(parse(shown)).toMatchObject({ spec: { containers: [{ image: 'example.com/web:1' }] } });
  });

  test('one that fails says why', async () => {
    await createComplete('late');
    expect(await deploy('late', broken, { replicas: 2, progressDeadlineSeconds: 2 })).toMatchObject(
      { code: 1 },
    );
    const [failed] = await newest('late', { revision: 2, outcome: 'Failed' });
    expect(failed).toMatchObject({
      who: me,
      reason: expect.stringMatching(/^it made no progress for 2 s/),
      endedAt: expect.stringMatching(isoTime),
    });
    // Going back is what ends it for good, and does not make it another failure.
    await expectDone(slipway('undo', refOf('late')));
    const entries = await newest('late', { revision: 3, outcome: 'Complete' });
    expect(entries[1]).toEqual({ ...failed, current: false, replicas: entries[1]?.replicas });
  });

  test('one that is overtaken says by which', async () => {
    await createComplete('passed');
    await deployments.setImage(api, nameOf('passed'), broken);
    await newest('passed', { revision: 2, outcome: 'Progressing' });
    await deployments.setImage(api, nameOf('passed'), 'example.com/web:3');
    const entries = await newest('passed', { revision: 3, outcome: 'Complete' });
    expect(entries[1]).toMatchObject({
      revision: 2,
      manager: 'slipway',
      outcome: 'Overtaken',
      reason: 'revision 3 came',
    });
    expect(entries[0]?.from).toEqual({ revision: 2, images: [broken] });
  });

  test('one that somebody goes back from in the middle was rolled back by them', async () => {
    await createComplete('turned');
    await deployments.setImage(api, nameOf('turned'), broken);
    await newest('turned', { revision: 2, outcome: 'Progressing' });
    await expectDone(slipway('undo', refOf('turned'), '--notes', 'never starts'));
    const entries = await newest('turned', { revision: 3, outcome: 'Complete' });
    expect(entries[1]).toMatchObject({
      outcome: 'RolledBack',
      reason: 'revision 3 went back to revision 1',
      endedBy: me,
    });
  });

  test('one that is cancelled says by whom and why, and that it was, when it is taken up again', async () => {
    await createComplete('held');
    await deployments.setImage(api, nameOf('held'), broken);
    await newest('held', { revision: 2, outcome: 'Progressing' });
    await expectDone(slipway('cancel', refOf('held'), '--reason', 'wrong one'));
    const [cancelled] = await newest('held', { revision: 2, outcome: 'Cancelled' });
    expect(cancelled).toMatchObject({ reason: 'wrong one', endedBy: me });
    await expectDone(slipway('resume', refOf('held')));
    await newest('held', { revision: 2, outcome: 'Progressing' });
    // Without pods there is none that never gets ready.
    await deployments.patch(api, nameOf('held'), { spec: { replicas: 0 } });
    const [again] = await newest('held', { revision: 2, outcome: 'Complete' });
    expect(again).toMatchObject({
      startedAt: cancelled?.startedAt,
      reason: 'it had been cancelled before: wrong one',
      endedBy: null,
    });
  });

  test('one that goes back by itself says so on both', async () => {
    const asks =
      api === 'apps/v1'
        ? { metadata: { annotations: { [annotations.rollbackOnFailure]: 'true' } } }
        : { spec: { rollbackOnFailure: true } };
    await createComplete('safe');
    await deployments.patch(api, nameOf('safe'), asks);
    await deployments.setImage(api, nameOf('safe'), 'example.com/web:crash');
    const entries = await newest('safe', { revision: 3, outcome: 'Complete' });
    const [back, failed] = entries;
    expect(failed).toMatchObject({
      revision: 2,
      outcome: 'RolledBack',
      reason: expect.stringMatching(/keeps crashing .+; rolled back to revision 1$/),
      endedBy: null,
    });
    expect(back).toMatchObject({
      who: null,
      manager: 'slipway',
      triggers: [],
      backTo: 1,
      why: failed?.reason,
    });
  });

  test('a wish for a rollback is met in the name of whoever wrote it', async () => {
    await createComplete('wish');
    await deployments.setImage(api, nameOf('wish'), 'example.com/web:2');
    await newest('wish', { revision: 2, outcome: 'Complete' });
    const wish =
      api === 'apps/v1'
        ? { metadata: { annotations: { [annotations.rollbackTo]: '1' } } }
        : { spec: { rollbackTo: { revision: 1 } } };
    await deployments.cluster.client.transport.json({
      method: 'PATCH',
      path: `/apis/${api}/namespaces/${deployments.namespace}/deployments/${nameOf('wish')}`,
      query: { fieldManager: 'a-pipeline' },
      contentType: 'application/merge-patch+json',
      body: wish,
    });
    const [back] = await newest('wish', { revision: 3, outcome: 'Complete' });
    expect(back).toMatchObject({ backTo: 1, who: null, manager: 'a-pipeline' });
  });

  test('a run that was started with a manifest is named', async () => {
    const manifest = deployments.manifest(api, nameOf('ci'), { replicas: 1 });
    const handle = await deployments.temporal.workflow.start('deployment', {
      taskQueue: 'slipway',
      workflowId: deployments.workflowId(nameOf('ci')),
      args: [manifest],
    });
    await handle.result();
    const [entry] = await newest('ci', { revision: 1, outcome: 'Complete' });
    expect(entry?.who).toBe(`a workflow (run ${handle.firstExecutionRunId})`);
  });

  test('what the limit took away is still known as what was before', async () => {
    await createComplete('short', { revisionHistoryLimit: 0 });
    await deployments.setImage(api, nameOf('short'), 'example.com/web:2');
    await newest('short', { revision: 2, outcome: 'Complete' });
    await waitFor('the old set is gone', async () =>
      (await deployments.replicaSets(nameOf('short'))).length === 1 ? true : undefined,
    );
    const entries = await historyOf(deployments, refOf('short'));
    expect(entries).toHaveLength(1);
    expect(entries[0]?.from).toEqual({ revision: 1, images: ['example.com/web:1'] });
  });
});

describe('a DeploymentConfig', () => {
  const slipway = slipwayIn(() => configs);
  const newest = (name: string, wanted: Partial<HistoryEntry>): Promise<HistoryEntry[]> =>
    untilNewest(configs, `dc/${name}`, wanted);
  const deploy = (name: string, image: string, spec: object = {}): Promise<CommandResult> =>
    runSlipway(['deploy', '-f', '-', '-n', configs.namespace, '--timeout', '60s'], {
      env,
      input: JSON.stringify({
        apiVersion: 'apps.openshift.io/v1',
        kind: 'DeploymentConfig',
        metadata: { name },
        spec: { replicas: 1, template: configs.template(name, image), ...spec },
      }),
    });

  test('each way in which a version comes: who, when, why, from what to what', async () => {
    await expectDone(deploy('ways', 'example.com/web:1'));
    await expectDone(deploy('ways', 'example.com/web:2'));
    await expectDone(slipway('trigger', 'dc/ways', '--reason', 'new keys'));
    await configs.setImage('ways', 'example.com/web:3');
    const entries = await newest('ways', { revision: 4, outcome: 'Complete' });
    const edited = { triggers: ['ConfigChange'], why: 'config change', outcome: 'Complete' };
    expect(entries).toMatchObject([
      {
        ...edited,
        revision: 4,
        current: true,
        who: null,
        manager: 'slipway',
        from: { revision: 3, images: ['example.com/web:2'] },
        images: ['example.com/web:3'],
      },
      {
        revision: 3,
        who: me,
        triggers: ['Manual'],
        why: 'manual change (new keys)',
        from: { revision: 2, images: ['example.com/web:2'] },
        images: ['example.com/web:2'],
        outcome: 'Complete',
      },
      {
        ...edited,
        revision: 2,
        who: me,
        manager: 'slipway',
        from: { revision: 1, images: ['example.com/web:1'] },
      },
      { ...edited, revision: 1, who: me, manager: 'slipway', from: null },
    ]);
    for (const { startedAt, endedAt, seconds } of entries) {
      expect(startedAt).toMatch(isoTime);
      expect(endedAt).toMatch(isoTime);
      expect(seconds).toBeGreaterThan(0);
    }
  });

  test('an image that a trigger fills in: from which to which, and the author of an edit stays', async () => {
    const repository = await SilentRepository.create(configs, 'filled');
    const triggers = [imageTrigger('filled:latest', ['web']), { type: 'ConfigChange' }];
    const deploying = deploy('filled', ' ', { triggers });
    await repository.set('a');
    await expectDone(deploying);
    await newest('filled', { revision: 1, outcome: 'Complete' });
    await repository.set('b');
    const [pushed, first] = await newest('filled', { revision: 2, outcome: 'Complete' });
    expect(first).toMatchObject({ who: me, images: [repository.image('a')] });
    expect(pushed).toMatchObject({
      who: null,
      manager: null,
      triggers: ['ImageChange'],
      why: `image change of ${configs.namespace}/filled:latest`,
      from: { revision: 1, images: [repository.image('a')] },
      images: [repository.image('b')],
    });
  });

  test('each way in which a version ends: cancelled, tried again, overtaken, failed', async () => {
    await configs.create('ends', { replicas: 1 });
    await configs.untilPhase('ends-1', 'Complete');
    await configs.setImage('ends', broken);
    await configs.untilPhase('ends-2', 'Running');
    await expectDone(slipway('cancel', 'dc/ends', '--reason', 'wrong one'));
    await configs.untilPhase('ends-2', 'Failed');
    await expectDone(slipway('retry', 'dc/ends', '--reason', 'it may work now'));
    await configs.untilPhase('ends-2', 'Running');
    const strategy = { type: 'Rolling', rollingParams: { timeoutSeconds: 2 } };
    const template = configs.template('ends', 'example.com/web:missing');
    await configs.patch('ends', { spec: { strategy, template } });
    const entries = await newest('ends', { revision: 3, outcome: 'Failed' });
    // What has never served was nothing to come from.
    const from = { revision: 1, images: ['example.com/web:1'] };
    expect(entries).toMatchObject([
      { revision: 3, attempt: 1, from, reason: expect.stringContaining('made no progress') },
      {
        revision: 2,
        attempt: 2,
        from,
        who: me,
        triggers: ['Retry'],
        why: 'tried again: it may work now',
        outcome: 'Overtaken',
        reason: 'version 3 came',
      },
      {
        revision: 2,
        attempt: 1,
        from,
        manager: 'slipway',
        outcome: 'Cancelled',
        reason: `cancelled by ${me}: wrong one`,
        endedBy: me,
      },
      { revision: 1, outcome: 'Complete' },
    ]);
    const times = entries.flatMap(({ startedAt, endedAt }) => [endedAt, startedAt]);
    for (const time of times) expect(time).toMatch(isoTime);
    // Those of the cluster are whole seconds, so that texts of them have another order.
    const ms = times.map((time) => Date.parse(time ?? ''));
    expect(ms.toSorted((a, b) => b - a)).toEqual(ms);
    const text = await expectDone(slipway('history', 'dc/ends', '--no-runs'));
    expect(text).toMatch(
      /^2 \(try 2\) +\S+ ago +\S+ +tried again: it may work now +.+ +Overtaken$/m,
    );
    expect(text).toMatch(/^ {4}version 3 came$/m);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
  });

  test('a version after one that the cluster refused comes from the last complete one', async () => {
    await configs.create('gap', { replicas: 1 });
    await configs.untilPhase('gap-1', 'Complete');
    const { metadata, spec } = configs.template('gap', 'example.com/web:2');
    const [container] = spec.containers;
    const nowhere = { ...container, volumeMounts: [{ name: 'nowhere', mountPath: '/x' }] };
    await configs.patch('gap', {
      spec: { template: { metadata, spec: { containers: [nowhere] } } },
    });
    await waitFor('version 2 of gap is refused', async () => {
      const { conditions } = (await configs.get('gap')).status ?? {};
      const isRefused = conditions?.some(
        ({ reason }) => reason === 'ReplicationControllerCreateError',
      );
      return isRefused === true ? true : undefined;
    });
    await expectDone(slipway('undo', 'dc/gap'));
    const [latest, ...others] = await newest('gap', { revision: 3, outcome: 'Complete' });
    expect(latest?.from).toEqual({ revision: 1, images: ['example.com/web:1'] });
    expect(others.map(({ revision, from }) => ({ revision, from }))).toEqual([
      { revision: 1, from: null },
    ]);
  });
});

describe('when Temporal knows nothing any more', () => {
  const deploymentEntries = () => historyOf(deployments, 'deployment.slipway.dev/lasting');
  const configEntries = () => historyOf(configs, 'dc/lasting');

  beforeAll(async () => {
    const api = 'slipway.dev/v1alpha1';
    await deployments.create(api, 'lasting', { replicas: 1 });
    await deployments.untilComplete(api, 'lasting');
    await deployments.setImage(api, 'lasting', 'example.com/web:2');
    await untilNewest(deployments, 'deployment.slipway.dev/lasting', {
      revision: 2,
      outcome: 'Complete',
    });
    await configs.create('lasting', { replicas: 1 });
    await configs.untilPhase('lasting-1', 'Complete');
    await configs.setImage('lasting', 'example.com/web:2');
    await configs.untilPhase('lasting-2', 'Complete');
  });

  const commands: readonly (readonly [string, () => Trial, string])[] = [
    ['a Deployment', () => deployments, 'deployment.slipway.dev/lasting'],
    ['a DeploymentConfig', () => configs, 'dc/lasting'],
  ];

  test.each(commands)('the history of %s is told without it', async (_title, trial, ref) => {
    const at = ['-n', trial().namespace];
    const [text, json, diff] = await Promise.all([
      runSlipway(['history', ref, ...at], { env: nobody }),
      runSlipway(['history', ref, '-o', 'json', ...at], { env: nobody }),
      runSlipway(['diff', ref, '--revision', '1', '--revision', '2', ...at], { env: nobody }),
    ]);
    expect([text.code, json.code, diff.code]).toEqual([0, 0, 0]);
    expect(text.stdout).toMatch(/^2 \* .+ web:1 → :2 +\d+s +Complete$/m);
    expect(text.stderr).toMatch(/^slipway: the runs are not shown: .+ can't be reached/);
    const entries = JSON.parse(json.stdout) as HistoryEntry[];
    expect(entries).toMatchObject([
      { revision: 2, outcome: 'Complete', runs: null },
      { revision: 1, outcome: 'Complete', runs: null },
    ]);
    expect(diff.stdout).toContain('+++');
  });

  test('nor does it change when its runs are deleted', async () => {
    const before = [await deploymentEntries(), await configEntries()];
    const ids = [
      deployments.workflowId('lasting'),
      configs.run('lasting', 1).workflowId,
      configs.run('lasting', 2).workflowId,
    ];
    const { workflowService } = deployments.connection;
    const list = async (): Promise<string[]> => {
      const query = `WorkflowId IN (${ids.map((id) => `'${id}'`).join(', ')})`;
      const found: string[] = [];
      for await (const { workflowId, runId } of deployments.temporal.workflow.list({ query })) {
        found.push(runId);
        const workflowExecution = { workflowId, runId };
        await workflowService
          .deleteWorkflowExecution({ namespace: 'default', workflowExecution })
          .catch(() => undefined);
      }
      return found;
    };
    await waitFor('the runs are deleted', async () =>
      (await list()).length === 0 ? true : undefined,
    );
    const [text, json] = await Promise.all([
      runSlipway(['history', 'deployment.slipway.dev/lasting', '-n', deployments.namespace], {
        env,
      }),
      runSlipway(['history', 'dc/lasting', '-o', 'json', '-n', configs.namespace], { env }),
    ]);
    expect([text.code, json.code, text.stderr, json.stderr]).toEqual([0, 0, '', '']);
    expect(text.stdout).not.toContain('RUN');
    expect((JSON.parse(json.stdout) as HistoryEntry[]).map(({ runs }) => runs)).toEqual([[], []]);
    expect([await deploymentEntries(), await configEntries()]).toEqual(before);
  });
});

describe('an ImageRepository', () => {
  test('has the images that its tags stood for, and no revisions', async () => {
    const repository = await SilentRepository.create(configs, 'kept');
    await repository.set('b', {
      resolvedAt: '2026-01-02T00:00:00Z',
      history: [{ digest: digestOf('a'), resolvedAt: '2026-01-01T00:00:00Z' }],
    });
    expect(await historyOf(configs, 'ir/kept')).toMatchObject([
      {
        tag: 'latest',
        current: true,
        images: [repository.image('b')],
        from: { images: [repository.image('a')] },
      },
      { tag: 'latest', current: false, startedAt: '2026-01-01T00:00:00Z', revision: null },
    ]);
    const slipway = slipwayIn(() => configs);
    const [text, revision, diff] = await Promise.all([
      expectDone(slipway('history', 'ir/kept')),
      slipway('history', 'ir/kept', '--revision', '1'),
      slipway('diff', 'ir/kept', '--revision', '1'),
    ]);
    expect(text).toMatch(/^latest \* +\S+ ago +kept@aaaaaaaaaaaa → @bbbbbbbbbbbb$/m);
    const only = 'is for Deployments and DeploymentConfigs only\n';
    expect(revision).toEqual({
      code: 2,
      stdout: '',
      stderr: `slipway: ir/kept: "history --revision" ${only}`,
    });
    expect(diff).toEqual({ code: 2, stdout: '', stderr: `slipway: ir/kept: "diff" ${only}` });
  });
});

test('a Deployment whose sets another controller has made has a history all the same', async () => {
  const api = 'slipway.dev/v1alpha1';
  await deployments.create(api, 'foreign', { replicas: 1 });
  await deployments.untilComplete(api, 'foreign');
  const [set] = await deployments.replicaSets('foreign');
  await deployments.cluster.client.patch(
    resources.replicaSets,
    deployments.namespace,
    set?.metadata.name ?? '',
    'merge',
    { metadata: { annotations: { [annotations.stays]: null } } },
  );
  const [entry] = await historyOf(deployments, 'deployment.slipway.dev/foreign');
  const { metadata }: Deployment = await deployments.get(api, 'foreign');
  expect(entry).toMatchObject({ revision: 1, outcome: 'Complete', who: null });
  expect(Date.parse(entry?.startedAt ?? '')).toBeGreaterThanOrEqual(
    Date.parse(metadata.creationTimestamp ?? ''),
  );
});
