import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { readCauses } from '../../src/kubernetes/deployment-configs/read-causes.js';
import { configAnnotations } from '../../src/kubernetes/deployment-configs/annotations.js';
import { decodeConfig } from '../../src/kubernetes/deployment-configs/build-controller.js';
import { readChange } from '../../src/kubernetes/deployment-configs/config-change.js';
import type { DeploymentConfig } from '../../src/kubernetes/deployment-configs/objects.js';
import { imageRepositoryAnnotations } from '../../src/kubernetes/image-repositories/annotations.js';
import type { ImageRepository } from '../../src/kubernetes/image-repositories/objects.js';
import { pickFreePort } from '../../src/dev/stack/ports.js';
import { resources } from '../../src/kubernetes/resources.js';
import { ConfigTrial } from '../support/config-trial.js';
import { sharedServers } from '../support/deployment-trial.js';
import { createAccount, HttpApi, type Account, type HttpAnswer } from '../support/http-api.js';
import { startRegistry } from '../support/registry.js';
import { digestOf, SilentRepository, silentImage } from '../support/silent-repository.js';
import { waitFor } from '../support/wait-for.js';
import { WorkerProcess } from '../support/worker-process.js';

const url = process.env['SLIPWAY_E2E_HTTP'] ?? '';

let trial: ConfigTrial;
let api: HttpApi;
let editor: Account;
let viewer: Account;
let stranger: Account;

beforeAll(async () => {
  trial = await ConfigTrial.open(sharedServers());
  const { client } = trial.cluster;
  api = await HttpApi.open(url);
  editor = await createAccount(client, trial.namespace, 'editor', ['get', 'update']);
  viewer = await createAccount(client, trial.namespace, 'viewer', ['get']);
  stranger = await createAccount(client, trial.namespace, 'stranger', []);
});
afterAll(async () => {
  await trial.close();
});

const generate = (name: string, { token }: Account = editor): Promise<HttpAnswer> =>
  api.call('GET', `/generateDeploymentConfigs/${trial.namespace}/${name}`, { token });
const put = (name: string, body: unknown, { token }: Account = editor): Promise<HttpAnswer> =>
  api.call('PUT', `/deploymentConfigs/${trial.namespace}/${name}`, { token, body });
const configOf = ({ code, body }: HttpAnswer): DeploymentConfig => {
  expect([code, body]).toEqual([200, expect.objectContaining({ kind: 'DeploymentConfig' })]);
  return body as DeploymentConfig;
};
const messageOf = ({ body }: HttpAnswer): string => (body as { message: string }).message;
const reasonOf = ({ body }: HttpAnswer): string => (body as { reason: string }).reason;
const imageOf = ({ spec }: DeploymentConfig): string | undefined =>
  spec.template.spec?.containers[0]?.image;

/** Somebody else may write the status at any moment: then one generates anew, as the answer says. */
async function generateAndPut(
  name: string,
  change: (config: DeploymentConfig) => DeploymentConfig = (config) => config,
): Promise<HttpAnswer> {
  return waitFor(`${name} is saved`, async () => {
    const answer = await put(name, change(configOf(await generate(name))));
    return answer.code === 409 ? undefined : answer;
  });
}

/** The same config, asking for one version more. */
const raised = (config: DeploymentConfig): DeploymentConfig => ({
  ...config,
  status: {
    ...config.status,
    latestVersion: (config.status?.latestVersion ?? 0) + 1,
    details: { causes: [{ type: 'Manual' }] },
  },
});

async function createRepository(name: string, spec: object = {}): Promise<ImageRepository> {
  const repository = {
    metadata: { name, namespace: trial.namespace },
    spec: { repository: 'registry.invalid/team/web', intervalSeconds: 3_600, ...spec },
  };
  return trial.cluster.client.create(resources.imageRepositories, repository, { strict: true });
}

const follow = (name: string, automatic = false) => ({
  type: 'ImageChange',
  imageChangeParams: {
    automatic,
    containerNames: ['web'],
    from: { kind: 'ImageStreamTag', name: `${name}:latest` },
  },
});

describe('who calls', () => {
  beforeAll(async () => {
    await trial.create('guarded', { triggers: [], replicas: 1 });
  });

  test.each(['GET', 'PUT'])('without a token, may %s nothing: 401', async (method) => {
    const path = `/deploymentConfigs/guarded?namespace=${trial.namespace}`;
    const body = method === 'PUT' ? { body: {} } : {};
    const answer = await api.call(method, path, body);
    expect([answer.code, reasonOf(answer)]).toEqual([401, 'Unauthorized']);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="slipway"');
  });

  test('with a token that the cluster does not know: 400', async () => {
    const forged = `${editor.token.slice(0, -4)}AAAA`;
    for (const token of ['nonsense', forged]) {
      const answer = await generate('guarded', { username: '', token });
      expect([answer.code, reasonOf(answer)]).toEqual([400, 'InvalidToken']);
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
  });

  test('with the token of a ServiceAccount that is gone: 400', async () => {
    const { client } = trial.cluster;
    const gone = await createAccount(client, trial.namespace, 'gone', ['get']);
    await client.delete(resources.serviceAccounts, trial.namespace, 'gone');
    await waitFor('its token is not taken any more', async () => {
      const { code } = await generate('guarded', gone);
      return code === 400 ? true : undefined;
    });
  });

  test('without the right: 403, which says what is missing', async () => {
    const answer = await generate('guarded', stranger);
    expect([answer.code, reasonOf(answer)]).toEqual([403, 'Forbidden']);
    expect(messageOf(answer)).toBe(
      `${stranger.username} may not get deploymentconfigs.apps.openshift.io "guarded" in namespace "${trial.namespace}"`,
    );
    const config = configOf(await generate('guarded', viewer));
    const saving = await put('guarded', raised(config), viewer);
    expect(saving.code).toBe(403);
    expect((await trial.get('guarded')).status?.latestVersion ?? 0).toBe(0);
  });

  test('learns nothing of what is there without the right', async () => {
    expect((await generate('nothing', stranger)).code).toBe(403);
    expect((await generate('nothing', viewer)).code).toBe(404);
    const elsewhere = await api.call('GET', '/deploymentConfigs/kube-system/a', viewer);
    expect(elsewhere.code).toBe(403);
    // The namespace of the worker's kubeconfig.
    const usual = await api.call('GET', '/deploymentConfigs/a', viewer);
    expect(messageOf(usual)).toContain('in namespace "default"');
  });

  test('may name the namespace in three ways', async () => {
    const { namespace } = trial;
    const paths = [
      `/generateDeploymentConfigs/guarded?namespace=${namespace}`,
      `/generateDeploymentConfigs/${namespace}/guarded`,
      `/namespaces/${namespace}/generateDeploymentConfigs/guarded`,
    ];
    for (const path of paths) {
      const { metadata } = configOf(await api.call('GET', path, viewer));
      expect([metadata.name, metadata.namespace]).toEqual(['guarded', namespace]);
      expect(metadata).not.toHaveProperty('managedFields');
    }
  });
});

describe('the generator', () => {
  test('walks from an image to a version: generate, put, deployed', async () => {
    const web = await SilentRepository.create(trial, 'web');
    await web.set('a');
    const template = trial.template('walk', ' ');
    await trial.create('walk', { template, triggers: [{ type: 'ConfigChange' }, follow('web')] });
    await trial.untilPhase('walk-1', 'Complete');
    const idle = configOf(await generate('walk'));
    expect([idle.status?.latestVersion, imageOf(idle)]).toEqual([1, web.image('a')]);

    await web.set('b');
    const generated = configOf(await generate('walk'));
    expect(imageOf(generated)).toBe(web.image('b'));
    expect(generated.status).toMatchObject({
      latestVersion: 2,
      details: {
        message: `manual change by ${editor.username}, image change of ${trial.namespace}/web:latest`,
        causes: [
          { type: 'Manual', by: editor.username },
          {
            type: 'ImageChange',
            imageTrigger: { previous: web.image('a'), image: web.image('b') },
          },
        ],
      },
    });
    const untouched = await trial.get('walk');
    expect([untouched.status?.latestVersion, imageOf(untouched)]).toEqual([1, web.image('a')]);

    const saved = configOf(await generateAndPut('walk'));
    expect(saved.status).toMatchObject({
      latestVersion: 2,
      details: { causes: [{ type: 'Manual', by: editor.username }, { type: 'ImageChange' }] },
    });
    expect(saved.metadata.annotations ?? {}).not.toHaveProperty([configAnnotations.request]);
    const version = await trial.untilPhase('walk-2', 'Complete');
    const snapshot = decodeConfig(version);
    expect(snapshot && imageOf(snapshot)).toBe(web.image('b'));
    expect(configOf(await generate('walk')).status?.latestVersion).toBe(2);
  });

  test('finds a change of the template where no trigger does', async () => {
    await trial.create('plain', { triggers: [], replicas: 1 });
    expect(configOf(await generate('plain')).status?.latestVersion).toBe(1);
    expect(configOf(await generateAndPut('plain')).status?.latestVersion).toBe(1);
    await trial.untilPhase('plain-1', 'Complete');
    expect(configOf(await generate('plain')).status?.latestVersion).toBe(1);
    await trial.setImage('plain', 'example.com/web:2');
    const saved = configOf(await generateAndPut('plain'));
    expect(saved.status).toMatchObject({
      latestVersion: 2,
      details: { causes: [{ type: 'Manual', by: editor.username }] },
    });
    await trial.untilPhase('plain-2', 'Complete');
  });

  test('says which image it waits for, and a version that was asked for comes with it', async () => {
    const template = trial.template('waiting', ' ');
    await trial.create('waiting', { template, triggers: [follow('later')], replicas: 1 });
    await trial.untilCondition('waiting', 'Progressing', 'WaitingForImages');
    const answer = await generate('waiting');
    expect(configOf(answer).status?.latestVersion ?? 0).toBe(0);
    expect(answer.headers.get('warning')).toBe(
      `299 - "no version can be made yet: the image of ${trial.namespace}/later:latest is not known"`,
    );
    const accepted = await put('waiting', raised(configOf(answer)));
    expect(accepted.code).toBe(202);
    expect(accepted.headers.get('warning')).toBe('299 - "version 1 is asked for and not made yet"');
    await (await SilentRepository.create(trial, 'later')).set('c');
    await trial.untilPhase('waiting-1', 'Complete');
    const config = await trial.get('waiting');
    expect(config.status?.details?.causes).toEqual([{ type: 'Manual', by: editor.username }]);
    expect(imageOf(config)).toBe(silentImage('later', 'c'));
  });
});

test('a worker that does not watch serves as well, and what it took outlives it', async () => {
  const { temporalAddress } = sharedServers();
  const state = process.env['SLIPWAY_E2E_STATE_DIR'] ?? '';
  const port = await pickFreePort();
  const worker = await WorkerProcess.start(
    { temporalAddress, workerKubeconfig: join(state, 'pki', 'worker.kubeconfig') },
    ['--cluster-name=local', '--drop-in', `--http-address=127.0.0.1:${port}`],
  );
  const template = trial.template('handed-on', ' ');
  try {
    const other = await HttpApi.open(`http://127.0.0.1:${port}`);
    await trial.create('handed-on', { template, triggers: [follow('soon')], replicas: 1 });
    const path = `/deploymentConfigs/${trial.namespace}/handed-on`;
    const config = configOf(await other.call('GET', path, editor));
    const { token } = editor;
    const putting = other.call('PUT', path, { token, body: raised(config) }).catch(() => undefined);
    await waitFor('the wish is written', async () => {
      const { metadata } = await trial.get('handed-on');
      return metadata.annotations?.[configAnnotations.request];
    });
    expect(await worker.end('SIGTERM')).toBe(0);
    expect((await putting)?.code).not.toBe(200);
  } finally {
    await worker.end('SIGTERM');
  }
  await (await SilentRepository.create(trial, 'soon')).set('c');
  await trial.untilPhase('handed-on-1', 'Complete');
  const { status } = await trial.get('handed-on');
  expect(status?.details?.causes).toEqual([{ type: 'Manual', by: editor.username }]);
});

describe('what is put', () => {
  test('and was made from an older state is refused, and nothing is lost', async () => {
    await trial.create('raced', { replicas: 1 });
    await trial.untilPhase('raced-1', 'Complete');
    const old = configOf(await generate('raced'));
    await trial.patch('raced', { metadata: { labels: { team: 'shop' } } });
    const stale = await put('raced', raised({ ...old, spec: { ...old.spec, replicas: 9 } }));
    expect([stale.code, reasonOf(stale)]).toEqual([409, 'Conflict']);
    const kept = await trial.get('raced');
    expect([kept.metadata.labels?.['team'], kept.spec.replicas]).toEqual(['shop', 1]);
    expect(kept.metadata.annotations ?? {}).not.toHaveProperty([configAnnotations.request]);
    const saved = configOf(await generateAndPut('raced', raised));
    expect(saved.status?.latestVersion).toBe(2);
    expect(saved.metadata.labels?.['team']).toBe('shop');
  });

  test('by two at once is saved of one, and makes one version', async () => {
    await trial.create('contested', { triggers: [], replicas: 1 });
    const seen = configOf(await generate('contested'));
    const put1 = (minReadySeconds: number): Promise<HttpAnswer> =>
      put('contested', { ...seen, spec: { ...seen.spec, minReadySeconds } });
    const answers = await Promise.all([1, 2, 3, 4].map(put1));
    expect(answers.map(({ code }) => code).sort()).toEqual([200, 409, 409, 409]);
    const winner = answers.findIndex(({ code }) => code === 200) + 1;
    const config = await trial.get('contested');
    expect([config.spec.minReadySeconds, config.status?.latestVersion]).toEqual([winner, 1]);
  });

  test('is deployed as it was put, though a newer image is there', async () => {
    const kept = await SilentRepository.create(trial, 'kept');
    await kept.set('d');
    const template = trial.template('keeper', ' ');
    await trial.create('keeper', { template, triggers: [follow('kept')], replicas: 1 });
    configOf(await generateAndPut('keeper'));
    await trial.untilPhase('keeper-1', 'Complete');
    const before = await waitFor('a state that stays', async () => {
      const config = configOf(await generate('keeper'));
      await kept.set('e');
      const answer = await put('keeper', raised(config));
      if (answer.code === 200) return configOf(answer);
      await kept.set('d');
      return undefined;
    });
    expect([before.status?.latestVersion, imageOf(before)]).toEqual([2, kept.image('d')]);
  });

  test('without a new version makes none, whatever wish is in it', async () => {
    await trial.create('quiet', { triggers: [], replicas: 1 });
    const config = await trial.get('quiet');
    const forged = JSON.stringify({ version: 1, by: 'somebody else' });
    const saved = configOf(
      await put('quiet', {
        ...config,
        metadata: {
          ...config.metadata,
          annotations: { [configAnnotations.request]: forged, a: 'b' },
        },
        spec: { ...config.spec, replicas: 2 },
      }),
    );
    expect([saved.spec.replicas, saved.status?.latestVersion ?? 0]).toEqual([2, 0]);
    expect(saved.metadata.annotations).toEqual({ a: 'b' });
  });

  test('with another template is its sender’s, whoever is named in it', async () => {
    await trial.create('signed', { replicas: 1 });
    await trial.untilPhase('signed-1', 'Complete');
    const forged = { [configAnnotations.changedBy]: '{"by":"somebody else"}' };
    await waitFor('it is saved', async () => {
      const config = await trial.get('signed');
      const answer = await put('signed', {
        ...config,
        metadata: { ...config.metadata, annotations: forged },
        spec: { ...config.spec, template: trial.template('signed', 'example.com/web:2') },
      });
      return answer.code === 409 ? undefined : answer;
    });
    const version = await trial.untilPhase('signed-2', 'Complete');
    expect(readCauses(version)).toEqual([{ type: 'ConfigChange' }]);
    expect(readChange(version)).toEqual({
      by: editor.username,
      manager: 'slipway',
      wasVersion: 1,
      was: ['example.com/web:1'],
    });
  });

  const change = (over: object): ((config: DeploymentConfig) => unknown) => {
    return (config) => ({ ...config, spec: { ...config.spec, ...over } });
  };
  test.each<[string, (config: DeploymentConfig) => unknown, number, RegExp]>([
    [
      'another name',
      (config) => ({ ...config, metadata: { ...config.metadata, name: 'other' } }),
      422,
      /^metadata\.name: must be "wrong"/,
    ],
    [
      'another namespace',
      (config) => ({ ...config, metadata: { ...config.metadata, namespace: 'kube-system' } }),
      422,
      /^metadata\.namespace: must be/,
    ],
    [
      'no resourceVersion',
      ({ metadata: { resourceVersion: _none, ...metadata }, ...rest }) => ({ ...rest, metadata }),
      422,
      /^metadata\.resourceVersion: is needed/,
    ],
    [
      'a version too far',
      (config) => raised(raised(config)),
      422,
      /^status\.latestVersion: must be 0, as it is, or 1/,
    ],
    [
      'a version without a cause',
      (config) => ({ ...config, status: { latestVersion: 1 } }),
      422,
      /^status\.details\.causes: a new version needs a cause/,
    ],
    ['a field that there is not', change({ replcas: 3 }), 400, /unknown field "spec\.replcas"/],
    ['a value that can not be', change({ replicas: -1 }), 422, /spec\.replicas/],
  ])('with %s is refused, and the field is named', async (_what, spoil, code, message) => {
    const existing = await trial.get('wrong').catch(() => undefined);
    const config = existing ?? (await trial.create('wrong', { triggers: [], replicas: 1 }));
    const answer = await put('wrong', spoil({ ...config, status: config.status ?? {} }));
    expect([answer.code, messageOf(answer)]).toEqual([code, expect.stringMatching(message)]);
    const after = await trial.get('wrong');
    expect(after.metadata.resourceVersion).toBe(config.metadata.resourceVersion);
  });

  test('where nothing is to be replaced is 404', async () => {
    const metadata = { name: 'nobody', namespace: trial.namespace, resourceVersion: '1' };
    expect((await put('nobody', { metadata, spec: {} })).code).toBe(404);
  });
});

describe('notifications of pushes', () => {
  const secret = 'known to both';
  const path = (name: string): string => `/notifications/${trial.namespace}/${name}`;
  const notify = (to: string, token?: string, repository = 'team/web'): Promise<HttpAnswer> =>
    api.call('POST', to, {
      ...(token === undefined ? {} : { token }),
      body: {
        events: [
          { action: 'push', target: { repository, tag: 'v1', digest: digestOf('f') } },
          { action: 'push', target: { repository: 'a/b', tag: 'v1', digest: digestOf('f') } },
          { action: 'pull', target: { repository } },
        ],
      },
    });
  const pushedOf = async (name: string): Promise<unknown> => {
    const type = resources.imageRepositories;
    const { metadata } = await trial.cluster.client.get(type, trial.namespace, name);
    const text = metadata.annotations?.[imageRepositoryAnnotations.pushed];
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  };

  beforeAll(async () => {
    const metadata = { name: 'pushes', namespace: trial.namespace };
    const stringData = { token: `${secret}\n` };
    await trial.cluster.client.create(resources.secrets, { metadata, stringData } as never);
    const notificationSecret = { name: 'pushes' };
    await createRepository('pushed', { notificationSecret });
    await createRepository('deaf');
    await createRepository('broken', { notificationSecret: { name: 'nowhere' } });
  });

  test('are let in by the secret alone', async () => {
    expect((await notify(path('pushed'))).code).toBe(401);
    expect((await notify(path('pushed'), 'a guess')).code).toBe(403);
    // A token of the cluster is no secret of the registry.
    expect((await notify(path('pushed'), editor.token)).code).toBe(403);
    expect((await notify(path('deaf'), secret)).code).toBe(403);
    expect((await notify(path('broken'), secret)).code).toBe(403);
    expect((await notify(path('unknown'), secret)).code).toBe(404);
    expect((await notify('/notifications')).code).toBe(401);
    expect((await notify('/notifications', 'a guess')).code).toBe(403);
    for (const name of ['pushed', 'deaf', 'broken']) expect(await pushedOf(name)).toBeUndefined();
  });

  test('are noted on the ImageRepository, for the registry to confirm', async () => {
    const answer = await notify(path('pushed'), secret);
    expect([answer.code, answer.body]).toEqual([202, { accepted: 1, unmatched: 1 }]);
    expect(await pushedOf('pushed')).toEqual({
      tag: 'v1',
      digest: digestOf('f'),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as unknown,
    });
    const other = await notify(path('pushed'), secret, 'team/else');
    expect([other.code, other.body]).toEqual([202, { accepted: 0, unmatched: 2 }]);
  });

  test('find what was made a moment ago', async () => {
    const before = await notify('/notifications', secret);
    expect([before.code, before.body]).toEqual([202, { accepted: 1, unmatched: 1 }]);
    const spec = { repository: 'registry.example.com/team/new' };
    await createRepository('new', { ...spec, notificationSecret: { name: 'pushes' } });
    const after = await notify('/notifications', secret, 'team/new');
    expect([after.code, after.body]).toEqual([202, { accepted: 1, unmatched: 1 }]);
    expect(await pushedOf('new')).toMatchObject({ tag: 'v1' });
  });

  test('that are none are refused, and the field is named', async () => {
    const body = { events: [{ action: 'push', target: { repository: 'a', tag: 'v1' } }] };
    const answer = await api.call('POST', path('pushed'), { token: secret, body });
    expect([answer.code, messageOf(answer)]).toEqual([
      422,
      'events[0].target.digest: must be a digest',
    ]);
  });

  test('come from a registry by themselves', async () => {
    const registry = await startRegistry({
      notifications: {
        url: `${url}/notifications`,
        headers: { Authorization: `Bearer ${secret}` },
      },
    });
    try {
      const spec = { repository: `${registry.host}/shop/app`, insecure: true };
      await createRepository('app', { ...spec, notificationSecret: { name: 'pushes' } });
      // Once: that there were notifications just before it was made is no reason to miss one.
      const pushed = await registry.writer.pushImage('shop/app', 'v2', 'x');
      const notice = await waitFor('the registry has told', () => pushedOf('app'));
      expect(notice).toMatchObject({ tag: 'v2', digest: pushed });
    } finally {
      await registry.remove();
    }
  }, 300_000);
});

test('the log has a line for each request, and no token', () => {
  const state = process.env['SLIPWAY_E2E_STATE_DIR'] ?? '';
  const log = readFileSync(join(state, 'logs', 'worker.log'), 'utf8');
  expect(log).toMatch(
    new RegExp(`"method":"PUT","path":"[^"]+/contested","code":200,.*"user":"${editor.username}"`),
  );
  for (const { token } of [editor, viewer, stranger]) expect(log).not.toContain(token);
  expect(log).not.toContain('known to both');
});
