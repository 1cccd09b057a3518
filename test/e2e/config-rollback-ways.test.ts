import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ApplicationFailure, WorkflowFailedError } from '@temporalio/client';

import { taskQueue } from '../../src/contracts/task-queues.js';
import { versionWorkflowId, workflowTypes } from '../../src/contracts/workflow-ids.js';
import { KubernetesClient } from '../../src/kubernetes/client.js';
import { configAnnotations } from '../../src/kubernetes/deployment-configs/annotations.js';
import type { DeploymentConfig } from '../../src/kubernetes/deployment-configs/objects.js';
import { readCauses } from '../../src/kubernetes/deployment-configs/read-causes.js';
import type { KubernetesObject } from '../../src/kubernetes/objects.js';
import { askBack } from '../../src/worker/http/rollbacks/ask-back.js';
import { ConfigTrial } from '../support/config-trial.js';
import { sharedServers } from '../support/deployment-trial.js';
import { createAccount, HttpApi, type Account, type HttpAnswer } from '../support/http-api.js';
import { RollbackTrial } from '../support/rollback-trial.js';
import { waitFor } from '../support/wait-for.js';

let trial: ConfigTrial;
let rollbacks: RollbackTrial;
let api: HttpApi;
let editor: Account;
let viewer: Account;

beforeAll(async () => {
  trial = await ConfigTrial.open(sharedServers());
  rollbacks = new RollbackTrial(trial);
  api = await HttpApi.open(process.env['SLIPWAY_E2E_HTTP'] ?? '');
  const { client } = trial.cluster;
  editor = await createAccount(client, trial.namespace, 'editor', ['get', 'update']);
  viewer = await createAccount(client, trial.namespace, 'viewer', ['get']);
});
afterAll(async () => {
  await trial.close();
});

const imageOf = ({ spec }: DeploymentConfig): string | undefined =>
  spec.template.spec?.containers[0]?.image;

/** The cluster, in which somebody asks for a version as soon as the config has been examined. */
class Overtaken extends KubernetesClient {
  constructor(
    private readonly own: ConfigTrial,
    private readonly name: string,
  ) {
    super(own.cluster.client.transport);
  }

  override async replace<T extends KubernetesObject>(
    ...given: Parameters<typeof KubernetesClient.prototype.replace<T>>
  ): Promise<T> {
    const answer = await super.replace<T>(...given);
    const request = JSON.stringify({ version: 3, by: 'somebody else' });
    const annotations = { [configAnnotations.request]: request };
    await this.own.patch(this.name, { metadata: { annotations } });
    await waitFor(`${this.name} has version 3`, async () => {
      const { status } = await this.own.get(this.name);
      return status?.latestVersion === 3 ? true : undefined;
    });
    return answer;
  }
}

describe('over HTTP', () => {
  const path = (query = ''): string =>
    `/deploymentConfigRollbacks?namespace=${trial.namespace}${query}`;
  const post = (body: unknown, query = '', { token }: Account = editor): Promise<HttpAnswer> =>
    api.call('POST', path(query), { token, body });
  const messageOf = ({ body }: HttpAnswer): string => (body as { message: string }).message;

  test("in the document's words: it goes back, and the caller is named", async () => {
    const name = 'posted';
    await rollbacks.create(name, ['a', 'b']);
    const rollback = { release: 'posted-1', notes: 'I messed up my app' };
    const { code, body } = await post({ id: name, kind: 'DeploymentConfig', rollback });
    expect([code, body]).toEqual([201, expect.objectContaining({ kind: 'DeploymentConfig' })]);
    const config = body as DeploymentConfig;
    expect(config.status?.latestVersion).toBe(3);
    expect(config.spec.triggersSuspended).toBe(true);
    expect(imageOf(config)).toBe(rollbacks.image('a'));
    expect(config.status?.details?.causes).toMatchObject([
      { type: 'Rollback', by: editor.username, rollback: { notes: 'I messed up my app' } },
    ]);
    await trial.untilPhase(`${name}-3`, 'Complete');
  });

  describe('what is refused has touched nothing', () => {
    const name = 'guarded';
    beforeAll(() => rollbacks.create(name, ['a', 'b']));

    test.each<[string, () => Promise<HttpAnswer>, number, string]>([
      ['no token', () => post({}, '', { token: '', username: '' }), 401, 'token'],
      ['no right', () => post({ name, rollback: {} }, '', viewer), 403, 'may not update'],
      ['no config', () => post({ name: 'nowhere', rollback: {} }), 404, 'nowhere'],
      ['no wish', () => post({ name }), 422, 'rollback: is needed'],
      [
        'a bad wish',
        () => post({ name, rollback: { config: 1 } }),
        422,
        'rollback.config: must be',
      ],
      [
        'a release that is not there',
        () => post({ name, rollback: { release: 7 } }),
        422,
        'rollback.release: there is no version 7 of guarded',
      ],
      ['a bad flag', () => post({ name, rollback: {} }, '&dryRun=perhaps'), 400, 'dryRun: must be'],
    ])('%s', async (_title, call, code, message) => {
      const before = await rollbacks.untilObserved(name);
      const answer = await call();
      expect([answer.code, messageOf(answer)]).toEqual([code, expect.stringContaining(message)]);
      const after = await trial.get(name);
      expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    });

    test('nor has a dry run, which tells what would change', async () => {
      const before = await rollbacks.untilObserved(name);
      const { code, body } = await post({ name, rollback: {} }, '&dryRun=true');
      expect([code, body]).toEqual([
        200,
        { configs: [expect.objectContaining({ name, from: 2, to: 1, problems: [] })] },
      ]);
      const [report] = (body as { configs: { changes: { field: string }[] }[] }).configs;
      expect(report?.changes.map(({ field }) => field)).toContain(
        'spec.template.spec.containers[web].image',
      );
      const after = await trial.get(name);
      expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    });
  });

  test('nor does it go back to another version than was examined, where one comes in between', async () => {
    const name = 'raised';
    await rollbacks.create(name, ['a', 'b']);
    const { generation } = (await rollbacks.untilObserved(name)).metadata;
    const key = { namespace: trial.namespace, name };
    const wish = { config: true, application: true, by: 'robin' };
    const { signal } = new AbortController();
    const asking = askBack(new Overtaken(trial, name), key, wish, signal);
    await expect(asking).rejects.toMatchObject({
      code: 409,
      message: `DeploymentConfig "${name}" has version 3 by now, and was examined at version 2: try again`,
    });
    const after = await trial.get(name);
    expect(after.metadata.generation).toBe(generation);
    expect(after.rollback).toBeUndefined();
    expect(after.status?.latestVersion).toBe(3);
  });

  describe('by what is put in the place of the config', () => {
    const put = (name: string, body: unknown): Promise<HttpAnswer> =>
      api.call('PUT', `/deploymentConfigs/${trial.namespace}/${name}`, {
        token: editor.token,
        body,
      });

    test("the document's own form is the same as a POST", async () => {
      const name = 'hello';
      await rollbacks.create(name, ['a', 'b']);
      const before = await rollbacks.untilObserved(name);
      const sent = { id: name, kind: 'DeploymentConfig' };
      const missing = await put(name, { ...sent, rollback: { release: 'hello-7' } });
      expect([missing.code, messageOf(missing)]).toEqual([
        422,
        'rollback.release: there is no version 7 of hello; it has 1, 2',
      ]);
      const other = await put(name, { ...sent, id: 'other', rollback: {} });
      expect([other.code, messageOf(other)]).toEqual([422, 'id: must be "hello" as in the path']);
      const untouched = await trial.get(name);
      expect(untouched.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
      const rollback = { release: 'hello-1', notes: 'I messed up my app' };
      const { code, body } = await put(name, { ...sent, rollback });
      expect([code, body]).toEqual([201, expect.objectContaining({ kind: 'DeploymentConfig' })]);
      const config = body as DeploymentConfig;
      expect(imageOf(config)).toBe(rollbacks.image('a'));
      expect(config.status?.details?.causes).toMatchObject([
        { type: 'Rollback', by: editor.username, rollback: { notes: 'I messed up my app' } },
      ]);
      await trial.untilPhase(`${name}-3`, 'Complete');
    });

    test('a block beside a spec is examined before anything is saved', async () => {
      const name = 'whole';
      await rollbacks.create(name, ['a', 'b']);
      const current = await rollbacks.untilObserved(name);
      const sized = { ...current, spec: { ...current.spec, replicas: 3 } };
      const missing = await put(name, { ...sized, rollback: { release: 7 } });
      expect([missing.code, messageOf(missing)]).toEqual([
        422,
        'rollback.release: there is no version 7 of whole; it has 1, 2',
      ]);
      // It is not paused yet: what counts is the config as it would be saved.
      const paused = { ...current, spec: { ...current.spec, paused: true } };
      const held = await put(name, { ...paused, rollback: {} });
      expect([held.code, messageOf(held)]).toEqual([
        422,
        'spec.paused: it is paused: resume it first',
      ]);
      const untouched = await trial.get(name);
      expect(untouched.metadata.resourceVersion).toBe(current.metadata.resourceVersion);
      const { code } = await put(name, { ...current, rollback: { notes: 'oops' } });
      expect([200, 202]).toContain(code);
      const made = await trial.untilPhase(`${name}-3`, 'Complete');
      expect(await rollbacks.signOf(`${name}-3`)).toBe('a');
      expect(readCauses(made)).toMatchObject([
        { type: 'Rollback', by: editor.username, rollback: { from: 2, to: 1, notes: 'oops' } },
      ]);
    });
  });

  describe("in OpenShift's words", () => {
    const generate = (name: string, spec: object): Promise<HttpAnswer> =>
      api.call('POST', `/namespaces/${trial.namespace}/deploymentConfigRollbacks`, {
        token: editor.token,
        body: { kind: 'DeploymentConfigRollback', name, spec },
      });
    const put = (name: string, body: unknown): Promise<HttpAnswer> =>
      api.call('PUT', `/deploymentConfigs/${trial.namespace}/${name}`, {
        token: editor.token,
        body,
      });

    test('answered with the config, which makes a version once it is put', async () => {
      const name = 'openshift';
      await rollbacks.create(name, ['a', 'b']);
      const before = await rollbacks.untilObserved(name);
      const spec = { from: { name: 'openshift-1' }, revision: 0, includeTemplate: true };
      const answer = await generate(name, spec);
      expect(answer.code).toBe(200);
      const generated = answer.body as DeploymentConfig;
      expect(imageOf(generated)).toBe(rollbacks.image('a'));
      expect(generated.status?.latestVersion).toBe(3);
      // Nobody knows that registry, which is no reason not to go back, and one to say so.
      expect(answer.headers.get('warning')).toMatch(
        /^299 - "Image\/registry\.invalid\/shop\/web:a: whether it is still there is not known: /,
      );
      const unsaved = await trial.get(name);
      expect(unsaved.metadata.resourceVersion).toBe(before.metadata.resourceVersion);

      const saved = await put(name, generated);
      expect([200, 202]).toContain(saved.code);
      const made = await trial.untilPhase(`${name}-3`, 'Complete');
      expect(readCauses(made)).toMatchObject([
        { type: 'Rollback', by: editor.username, rollback: { from: 2, to: 1, application: true } },
      ]);
      expect((await trial.get(name)).spec.triggersSuspended).toBe(true);
    });

    test('what can not go back is refused, and so is a version that is put and is none', async () => {
      const name = 'doubted';
      await rollbacks.create(name, ['a', 'b']);
      const spec = { revision: 1, includeTemplate: true };
      const missing = await generate(name, { ...spec, revision: 7 });
      expect([missing.code, messageOf(missing)]).toEqual([
        422,
        'spec.revision: there is no version 7 of doubted; it has 1, 2',
      ]);
      const from = { name: 'doubted-7' };
      const unnamed = await generate(name, { ...spec, from, revision: 0 });
      expect([unnamed.code, messageOf(unnamed)]).toEqual([
        422,
        'spec.from.name: there is no version 7 of doubted; it has 1, 2',
      ]);
      const before = await rollbacks.untilObserved(name);
      const generated = (await generate(name, spec)).body as DeploymentConfig;
      const forged = structuredClone(generated);
      forged.status!.details!.causes![0]!.rollback!.to = 7;
      const refused = await put(name, forged);
      expect([refused.code, messageOf(refused)]).toEqual([
        422,
        'status.details.causes[0].rollback.to: there is no version 7 of doubted; it has 1, 2',
      ]);
      const after = await trial.get(name);
      expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
      await trial.patch(name, { spec: { paused: true } });
      const paused = await generate(name, spec);
      expect([paused.code, messageOf(paused)]).toEqual([
        422,
        'spec.paused: it is paused: resume it first',
      ]);
    });
  });
});

describe('by the run of the version itself', () => {
  const start = (name: string, version: number, input: object): Promise<unknown> => {
    const ref = { cluster: 'local', namespace: trial.namespace, name };
    return trial.temporal.workflow.execute(workflowTypes.deploymentConfig, {
      workflowId: versionWorkflowId(ref, version),
      taskQueue,
      args: [input],
    });
  };
  const failureOf = async (running: Promise<unknown>): Promise<ApplicationFailure> => {
    const error = await running.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    const cause = error instanceof WorkflowFailedError ? error.cause : error;
    if (!(cause instanceof ApplicationFailure)) throw new Error('it ended well', { cause });
    return cause;
  };

  test('with a reference and a wish', async () => {
    const name = 'started';
    await rollbacks.create(name, ['a', 'b']);
    const ref = { cluster: 'local', namespace: trial.namespace, name, version: 3 };
    const outcome = await start(name, 3, { ...ref, rollback: { notes: 'from CI', by: 'ci' } });
    expect(outcome).toMatchObject({ phase: 'Complete', version: 3 });
    expect(await rollbacks.signOf(`${name}-3`)).toBe('a');
    const made = await trial.version(`${name}-3`);
    expect(made && readCauses(made)).toMatchObject([
      { type: 'Rollback', by: 'ci', rollback: { from: 2, to: 1, notes: 'from CI' } },
    ]);
    const again = await failureOf(start(name, 3, { ...ref, rollback: {} }));
    expect([again.type, again.message]).toEqual([
      'BadInput',
      'version: the next version of started is 4, not 3',
    ]);
  });

  test('with a manifest that has a block, and none that can not be met', async () => {
    const name = 'manifested';
    await rollbacks.create(name, ['a', 'b']);
    const manifest = (rollback: object) => ({
      apiVersion: 'apps.openshift.io/v1',
      kind: 'DeploymentConfig',
      metadata: { name },
      rollback,
    });
    const before = await rollbacks.untilObserved(name);
    const refused = await failureOf(start(name, 3, manifest({ release: 'manifested-7' })));
    expect(refused.type).toBe('BadInput');
    expect(refused.message).toContain('release: there is no version 7');
    expect((await trial.get(name)).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    const outcome = await start(name, 3, manifest({ release: 'manifested-1' }));
    expect(outcome).toMatchObject({ phase: 'Complete', version: 3 });
    expect(await rollbacks.signOf(`${name}-3`)).toBe('a');
  });
});
