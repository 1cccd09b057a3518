import { readFile } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import type { HistoryEntry } from '../../src/client/history/history-entry.js';
import { configAnnotations } from '../../src/kubernetes/deployment-configs/annotations.js';
import { decodeConfig } from '../../src/kubernetes/deployment-configs/build-controller.js';
import type { ReplicationController } from '../../src/kubernetes/deployment-configs/objects.js';
import type { KubernetesObject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { ConfigTrial } from '../support/config-trial.js';
import { readObjects } from '../support/deploy-files.js';
import { sharedServers } from '../support/deployment-trial.js';
import {
  causesOf,
  conditionOf,
  configTrigger,
  imageOf,
  imageTrigger,
  ImageTrial,
} from '../support/image-trial.js';
import { startHttpServer } from '../support/http-server.js';
import { registryUser, startRegistry, type RegistryServer } from '../support/registry.js';
import { runSlipway } from '../support/slipway-command.js';
import { startTokenServer } from '../support/token-server.js';
import { waitFor } from '../support/wait-for.js';

let trial: ConfigTrial;
let images: ImageTrial;
let registry: RegistryServer;

beforeAll(async () => {
  trial = await ConfigTrial.open(sharedServers());
  images = new ImageTrial(trial);
  registry = await startRegistry();
});
afterAll(async () => {
  await registry.remove();
  await trial.close();
});

const both = (from: string) => [configTrigger, imageTrigger(from, ['web'])];

/** The images of a version's containers by their names, init containers among them. */
function imagesIn(version: ReplicationController): Record<string, string | undefined> {
  const { containers = [], initContainers = [] } = version.spec?.template?.spec ?? {};
  return Object.fromEntries(
    [...initContainers, ...containers].map(({ name, image }) => [name, image]),
  );
}

const editTemplate = (name: string, revision: string, more: object = {}) =>
  trial.patch(name, {
    spec: { template: { metadata: { annotations: { revision } } }, ...more },
  });

const ask = (name: string, version: number) =>
  trial.patch(name, {
    metadata: {
      annotations: { [configAnnotations.request]: JSON.stringify({ version, by: 'ann' }) },
    },
  });

describe('on a registry that tells of pushes', () => {
  const name = 'told';
  const token = 'known to the registry and to us';
  let telling: RegistryServer;

  beforeAll(async () => {
    telling = await startRegistry({
      notifications: {
        url: `${process.env['SLIPWAY_E2E_HTTP'] ?? ''}/notifications`,
        headers: { Authorization: `Bearer ${token}` },
      },
    });
    await trial.cluster.client.create(resources.secrets, {
      metadata: { name: 'pushes', namespace: trial.namespace },
      stringData: { token },
    } as KubernetesObject);
    await images.create(name, `${telling.host}/told/web`, {
      notificationSecret: { name: 'pushes' },
    });
    await trial.create(name, {
      replicas: 2,
      triggers: both('told:latest'),
      template: trial.template(name, ' '),
    });
  }, 300_000);
  afterAll(() => telling.remove());

  test('the first image makes the first version', async () => {
    await trial.untilCondition(name, 'Progressing', 'WaitingForImages');
    const image = await images.push(telling, 'told/web', 'latest', 'one');
    expect(imagesIn(await trial.untilPhase('told-1', 'Complete'))).toEqual({ web: image });
  });

  test('a push makes a new version, by the notification alone', async () => {
    const image = await images.push(telling, 'told/web', 'latest', 'two');
    const pushedMs = Date.now();
    await waitFor('there is a second version', () => trial.version('told-2'));
    process.stdout.write(`a new version ${Date.now() - pushedMs} ms after the push\n`);
    expect(imagesIn(await trial.untilPhase('told-2', 'Complete'))).toEqual({ web: image });
    expect(causesOf(await trial.get(name))).toEqual(['ImageChange']);
  });

  test.each([
    ['a push and an edit', 3],
    ['an edit and a push', 4],
  ])('%s at once make one version with two causes', async (order, version) => {
    const push = () => images.push(telling, 'told/web', 'latest', String(version));
    const edit = () => editTemplate(name, String(version));
    const isPushFirst = order.startsWith('a push');
    await Promise.all(isPushFirst ? [push(), edit()] : [edit(), push()]);
    await trial.untilPhase(`told-${version}`, 'Complete');
    const config = await trial.get(name);
    expect(config.status?.latestVersion).toBe(version);
    expect(causesOf(config).sort()).toEqual(['ConfigChange', 'ImageChange']);
  });

  test('the repository remembers what its tag stood for, and each version from what it came', async () => {
    const { kubeconfig: KUBECONFIG } = sharedServers();
    const history = async (ref: string): Promise<HistoryEntry[]> => {
      const words = ['history', ref, '--no-runs', '-o', 'json', '-n', trial.namespace];
      const { stdout } = await runSlipway(words, { env: { KUBECONFIG } });
      return JSON.parse(stdout) as HistoryEntry[];
    };
    const [ofTag, ofConfig] = await Promise.all([history('ir/told'), history('dc/told')]);
    expect(ofTag.map(({ tag, current }) => [tag, current])).toEqual([
      ['latest', true],
      ['latest', false],
      ['latest', false],
      ['latest', false],
    ]);
    const times = ofTag.map(({ startedAt }) => startedAt ?? '');
    expect([...times].sort().reverse()).toEqual(times);
    const pushed = ofTag.map(({ images: now }) => now);
    expect(new Set(pushed.flat()).size).toBe(4);
    expect(ofTag.map(({ from }) => from?.images)).toEqual([...pushed.slice(1), undefined]);
    expect(ofConfig.map(({ images: now }) => now)).toEqual(pushed);
    expect(ofConfig.map(({ from }) => from?.images)).toEqual([...pushed.slice(1), undefined]);
  });
});

describe('a config with both triggers', () => {
  const name = 'shop';
  let first = '';
  let second = '';

  test('waits for its image, and says so', async () => {
    await trial.create(name, {
      replicas: 2,
      triggers: both('shop:latest'),
      template: trial.template(name, ' '),
    });
    const lonely = await trial.untilCondition(name, 'Progressing', 'WaitingForImages');
    expect(lonely.status).toMatchObject({
      conditions: [
        {
          status: 'Unknown',
          message: `no image is known yet for ${trial.namespace}/shop:latest (there is no ImageRepository ${trial.namespace}/shop)`,
        },
      ],
    });
    expect(lonely.status?.latestVersion ?? 0).toBe(0);
    await images.untilEvent(name, 'WaitingForImages');

    await images.create('shop', `${registry.host}/shop/web`);
    const ready = await images.untilReady('shop', 'TagNotFound');
    expect(ready).toMatchObject({
      status: 'False',
      message: `${registry.host}/shop/web has no tag latest`,
    });
    await images.untilEvent('shop', 'TagNotFound');
    await waitFor('the config tells of the repository', async () => {
      const { status } = await trial.get(name);
      const message = status?.conditions?.find(({ type }) => type === 'Progressing')?.message;
      return message?.includes('has no tag latest') === true ? true : undefined;
    });
  });

  test('gets its first version when the image is pushed', async () => {
    first = await images.push(registry, 'shop/web', 'latest', 'first');
    await images.tellPushed('shop', 'latest');
    const version = await trial.untilPhase('shop-1', 'Complete');
    expect(imagesIn(version)).toEqual({ web: first });
    expect(causesOf(await trial.get(name))).toEqual(['ConfigChange']);
    const repository = await waitFor('the repository is ready', async () => {
      const found = await images.get('shop');
      return conditionOf(found, 'Ready')?.status === 'True' ? found : undefined;
    });
    expect(repository.status).toMatchObject({
      observedGeneration: 1,
      tags: [{ tag: 'latest', image: first }],
      conditions: [{ reason: 'Resolved', lastUpdateTime: expect.any(String) }],
    });
  });

  test('gets a new one at once when another is pushed', async () => {
    second = await images.push(registry, 'shop/web', 'latest', 'second');
    const toldMs = await images.tellPushed('shop', 'latest');
    await waitFor('there is a second version', () => trial.version('shop-2'));
    process.stdout.write(`a new version ${Date.now() - toldMs} ms after the push was told of\n`);
    const version = await trial.untilPhase('shop-2', 'Complete');
    expect(imagesIn(version)).toEqual({ web: second });
    expect((await trial.get(name)).status?.details?.causes).toEqual([
      {
        type: 'ImageChange',
        imageTrigger: {
          from: { kind: 'ImageStreamTag', namespace: trial.namespace, name: 'shop:latest' },
          containerNames: ['web'],
          previous: first,
          image: second,
        },
      },
    ]);
    expect((await images.get('shop')).status?.tags).toMatchObject([{ previous: first }]);
    const { note } = await images.untilEvent('shop', 'TagMoved');
    expect(note).toBe(`Tag latest moved from ${first} to ${second}`);
  });

  test('gets one for a new template, for that reason alone', async () => {
    await editTemplate(name, 'three');
    const version = await trial.untilPhase('shop-3', 'Complete');
    expect(imagesIn(version)).toEqual({ web: second });
    expect(causesOf(await trial.get(name))).toEqual(['ConfigChange']);
  });

  test('gets one for both together', async () => {
    // Held until both are there, so that they come in one moment for certain.
    await trial.patch(name, { spec: { paused: true } });
    const third = await images.push(registry, 'shop/web', 'latest', 'third');
    await images.tellPushed('shop', 'latest');
    await images.untilImage('shop', 'latest', third);
    await editTemplate(name, 'four', { paused: false });
    const version = await trial.untilPhase('shop-4', 'Complete');
    expect(imagesIn(version)).toEqual({ web: third });
    expect(causesOf(await trial.get(name))).toEqual(['ImageChange', 'ConfigChange']);
    expect((await trial.get(name)).status?.latestVersion).toBe(4);
  });

  test('never gets what somebody merely claims to have pushed', async () => {
    const wrong = `sha256:${'d'.repeat(64)}`;
    await images.tellPushed('shop', 'latest', wrong);
    const fourth = await images.push(registry, 'shop/web', 'latest', 'fourth');
    await images.tellPushed('shop', 'latest', wrong);
    const version = await trial.untilPhase('shop-5', 'Complete');
    expect(imagesIn(version)).toEqual({ web: fourth });
    expect((await images.get('shop')).status?.tags).toMatchObject([{ image: fourth }]);
    expect((await trial.get(name)).status?.latestVersion).toBe(5);
  });
});

test('a push that is told of before its tag stands for it is found all the same', async () => {
  const name = 'early';
  // By another tag, so that its digest is known beforehand.
  const image = await images.push(registry, 'early/web', 'candidate', 'early');
  await images.create(name, `${registry.host}/early/web`);
  await trial.create(name, { replicas: 1, triggers: both('early:latest') });
  await trial.untilCondition(name, 'Progressing', 'WaitingForImages');
  const countLooks = async (): Promise<number> =>
    (await readFile(registry.log, 'utf8')).split('/v2/early/web/manifests/latest HTTP').length - 1;
  await waitFor('the tag was asked for', async () => (await countLooks()) > 0 || undefined);
  const before = await countLooks();
  await images.tellPushed(name, 'latest', image.split('@')[1]);
  // More than for the tag and then for all tags: the registry is not believed at once.
  await waitFor(
    'it was asked for again',
    async () => (await countLooks()) > before + 2 || undefined,
  );
  await images.push(registry, 'early/web', 'latest', 'early');
  expect(imagesIn(await trial.untilPhase('early-1', 'Complete'))).toEqual({ web: image });
});

test('without notifications it is the interval by which a push is found', async () => {
  const old = await images.push(registry, 'polled/web', 'latest', 'old');
  await images.create('polled', `${registry.host}/polled/web`, { intervalSeconds: 5 });
  await trial.create('polled', { replicas: 1, triggers: both('polled:latest') });
  expect(imagesIn(await trial.untilPhase('polled-1', 'Complete'))).toEqual({ web: old });
  const young = await images.push(registry, 'polled/web', 'latest', 'young');
  expect(imagesIn(await trial.untilPhase('polled-2', 'Complete'))).toEqual({ web: young });
});

test('an image that is not followed automatically comes only when somebody asks', async () => {
  const old = await images.push(registry, 'manual/web', 'stable', 'old');
  await images.create('manual', `${registry.host}/manual/web`);
  await trial.create('manual', {
    replicas: 1,
    triggers: [configTrigger, imageTrigger('manual:stable', ['web'], false)],
    template: trial.template('manual', ' '),
  });
  expect(imagesIn(await trial.untilPhase('manual-1', 'Complete'))).toEqual({ web: old });
  const young = await images.push(registry, 'manual/web', 'stable', 'young');
  await images.tellPushed('manual', 'stable');
  await images.untilImage('manual', 'stable', young);
  await editTemplate('manual', 'two');
  expect(imagesIn(await trial.untilPhase('manual-2', 'Complete'))).toEqual({ web: old });
  await ask('manual', 3);
  expect(imagesIn(await trial.untilPhase('manual-3', 'Complete'))).toEqual({ web: young });
  expect(causesOf(await trial.get('manual'))).toEqual(['Manual', 'ImageChange']);
});

test('two triggers fill in containers and init containers, one of them in the older form', async () => {
  const [web, proxy] = [
    await images.push(registry, 'several/web', 'v1', 'web'),
    await images.push(registry, 'several/proxy', 'latest', 'proxy'),
  ];
  await images.create('several-web', `${registry.host}/several/web`);
  await images.create('several-proxy', `${registry.host}/several/proxy`);
  await trial.create('several', {
    replicas: 1,
    triggers: [
      {
        type: 'ImageChange',
        imageChangeParams: {
          automatic: true,
          containerNames: ['web', 'setup'],
          repositoryName: 'several-web',
          tag: 'v1',
        },
      },
      imageTrigger('several-proxy:latest', ['proxy']),
    ],
    template: {
      metadata: { labels: { app: 'several' } },
      spec: {
        terminationGracePeriodSeconds: 0,
        initContainers: [{ name: 'setup', image: ' ' }],
        containers: ['web', 'proxy'].map((container) => ({ name: container, image: ' ' })),
      },
    },
  });
  const version = await trial.untilPhase('several-1', 'Complete');
  expect(imagesIn(version)).toEqual({ setup: web, web, proxy });
  const triggers = decodeConfig(version)?.spec.triggers ?? [];
  expect(triggers.map(({ imageChangeParams }) => imageChangeParams?.lastTriggeredImage)).toEqual([
    web,
    proxy,
  ]);
  expect(causesOf(await trial.get('several'))).toEqual(['ImageChange', 'ImageChange']);
});

test('a later version that waits for an image says so while the one before serves', async () => {
  const template = trial.template('later');
  await trial.create('later', { replicas: 1, template });
  await trial.untilPhase('later-1', 'Complete');
  const containers = [...template.spec.containers, { name: 'added', image: ' ' }];
  await trial.patch('later', {
    spec: {
      triggers: [configTrigger, imageTrigger('later:latest', ['added'])],
      template: { spec: { containers } },
    },
  });
  await trial.untilCondition('later', 'ImagesKnown', 'WaitingForImages');
  const added = await images.push(registry, 'later/added', 'latest', 'added');
  await images.create('later', `${registry.host}/later/added`);
  expect(imagesIn(await trial.untilPhase('later-2', 'Complete'))).toMatchObject({ added });
  await waitFor('it waits no more', async () => {
    const { status } = await trial.get('later');
    return status?.conditions?.some(({ type }) => type === 'ImagesKnown') ? undefined : true;
  });
});

test('a registry that is away is told of, and followed again when it is back', async () => {
  const away = await startRegistry();
  try {
    const first = await images.push(away, 'web', 'latest', 'first');
    await away.stop();
    await images.create('away', `${away.host}/web`, { intervalSeconds: 5 });
    await trial.create('away', { replicas: 1, triggers: both('away:latest') });
    const { message } = await images.untilReady('away', 'RegistryUnreachable');
    expect(message).toBe(`${away.host} can't be asked about web: the connection was refused`);
    await waitFor('the config tells of it', async () => {
      const { status } = await trial.get('away');
      return status?.conditions?.[0]?.message?.includes(message ?? '?') === true ? true : undefined;
    });
    await away.start();
    expect(imagesIn(await trial.untilPhase('away-1', 'Complete'))).toEqual({ web: first });

    await away.stop();
    await images.tellPushed('away', 'latest');
    await images.untilReady('away', 'RegistryUnreachable');
    expect(imageOf(await images.get('away'), 'latest')).toBe(first);
    await away.start();
    const second = await images.push(away, 'web', 'latest', 'second');
    expect(imagesIn(await trial.untilPhase('away-2', 'Complete'))).toEqual({ web: second });
    await images.untilReady('away', 'Resolved');
  } finally {
    await away.remove();
  }
});

test('registries that are silent or talk nonsense are told of, and hold up nobody', async () => {
  const silent = await startHttpServer(() => undefined);
  const odd = await startHttpServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome!</html>');
  });
  try {
    for (let count = 0; count < 24; count += 1) {
      await images.create(`silent-${count}`, `${silent.host}/web`, { tags: ['a', 'b'] });
    }
    await images.create('odd', `${odd.host}/web`, { tags: ['latest'] });
    const image = await images.push(registry, 'beside/web', 'latest', 'beside');
    await images.create('beside', `${registry.host}/beside/web`, { tags: ['latest'] });
    // Sooner than the first of the silent ones is given up.
    await images.untilImage('beside', 'latest', image, 20_000);
    const { message } = await images.untilReady('odd', 'RegistryAnswerInvalid');
    expect(message).toContain(`there is no usable answer about ${odd.host}/web`);
    expect((await images.untilReady('silent-0', 'RegistryUnreachable')).message).toContain(
      `${silent.host} can't be asked about web`,
    );
  } finally {
    await silent.stop();
    await odd.stop();
  }
});

test('the example is a good one', async () => {
  for (const object of readObjects('examples/images.yaml')) {
    const type = Object.values(resources).find(({ kind }) => kind === object.kind)!;
    const { client } = trial.cluster;
    const metadata = { ...object.metadata, namespace: trial.namespace };
    await client.apply(type, { ...object, metadata }, { dryRun: true, strict: true });
  }
});

test('a private registry is opened by a pull secret, and one that is missing is named', async () => {
  const tokens = await startTokenServer();
  const closed = await startRegistry({ auth: tokens });
  try {
    const image = await images.push(closed, 'private/web', 'latest', 'private');
    await images.create('private', `${closed.host}/private/web`, {
      intervalSeconds: 5,
      pullSecrets: [{ name: 'registry' }],
    });
    await trial.create('private', { replicas: 1, triggers: both('private:latest') });
    const refusal = await images.untilReady('private', 'RegistryRefused');
    expect(refusal.message).toContain('spec.pullSecrets[0]: there is no Secret "registry"');
    expect(conditionOf(await images.get('private'), 'CredentialsUsable')).toMatchObject({
      status: 'False',
      message: 'spec.pullSecrets[0]: there is no Secret "registry"',
    });
    const { username, password } = registryUser;
    const auths = { [closed.host]: { username, password } };
    const secret = {
      metadata: { name: 'registry', namespace: trial.namespace },
      type: 'kubernetes.io/dockerconfigjson',
      data: { '.dockerconfigjson': Buffer.from(JSON.stringify({ auths })).toString('base64') },
    };
    await trial.cluster.client.create(resources.secrets, secret);
    expect(imagesIn(await trial.untilPhase('private-1', 'Complete'))).toEqual({ web: image });
    await images.untilReady('private', 'Resolved');
    expect(conditionOf(await images.get('private'), 'CredentialsUsable')).toBeUndefined();

    const account = {
      metadata: { name: 'puller', namespace: trial.namespace },
      imagePullSecrets: [{ name: 'registry' }],
    };
    await trial.cluster.client.create(resources.serviceAccounts, account);
    await images.create('by-account', `${closed.host}/private/web`, {
      tags: ['latest'],
      serviceAccountName: 'puller',
    });
    await images.untilImage('by-account', 'latest', image);
  } finally {
    await closed.remove();
    await tokens.stop();
  }
});
