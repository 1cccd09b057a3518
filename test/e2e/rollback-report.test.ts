import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';

import { findWriteProblems } from '../../src/activities/rollback/find-write-problems.js';
import type { RollbackOutcome } from '../../src/contracts/rollback.js';
import type {
  ConfigReport,
  RollbackReport,
  RollbackWarning,
} from '../../src/domain/rollback/report.js';
import { configAnnotations } from '../../src/kubernetes/deployment-configs/annotations.js';
import { decodeConfig } from '../../src/kubernetes/deployment-configs/build-controller.js';
import type { DeploymentConfig } from '../../src/kubernetes/deployment-configs/objects.js';
import type { Deployment, KubernetesObject } from '../../src/kubernetes/objects.js';
import { resources, type ResourceType } from '../../src/kubernetes/resources.js';
import { ConfigTrial } from '../support/config-trial.js';
import { sharedServers } from '../support/deployment-trial.js';
import { HookTrial } from '../support/hook-trial.js';
import { createAccount, HttpApi, type HttpAnswer } from '../support/http-api.js';
import { startHttpServer } from '../support/http-server.js';
import { ImageTrial } from '../support/image-trial.js';
import { registryUser, startRegistry, type RegistryServer } from '../support/registry.js';
import { runSlipway, type CommandResult } from '../support/slipway-command.js';
import { waitFor } from '../support/wait-for.js';

/** The registry is no part of the stack, so it may have to be built by the first who needs it. */
const buildWithinMs = 900_000;

const servers = sharedServers();
const env = { KUBECONFIG: servers.kubeconfig, TEMPORAL_ADDRESS: servers.temporalAddress };

let trial: ConfigTrial;
let hooks: HookTrial;
let folder = '';

beforeAll(async () => {
  trial = await ConfigTrial.open(servers);
  hooks = new HookTrial(trial);
  folder = await mkdtemp(join(tmpdir(), 'slipway-rollback-'));
});
afterAll(async () => {
  await trial.close();
  await rm(folder, { recursive: true });
});

const slipway = (...words: string[]): Promise<CommandResult> =>
  runSlipway([...words, '-n', trial.namespace], { env });

const create = <T extends KubernetesObject>(type: ResourceType, name: string, rest: object) =>
  trial.cluster.client.create(
    type,
    { metadata: { name, namespace: trial.namespace }, ...rest } as T,
    { strict: true },
  );

/** A template whose one container, pod and labels have this much more. */
function templateOf(
  name: string,
  container: object = {},
  pod: object = {},
  labels: object = {},
): object {
  const { metadata, spec } = trial.template(name);
  const [first] = spec.containers;
  return {
    metadata: { labels: { ...metadata.labels, ...labels } },
    spec: { ...spec, containers: [{ ...first, ...container }], ...pod },
  };
}

/** A config with a complete version for each spec. */
async function createVersions(name: string, specs: readonly object[]): Promise<void> {
  const [first = {}, ...rest] = specs;
  await trial.create(name, { replicas: 1, ...first });
  await trial.untilPhase(`${name}-1`, 'Complete');
  for (const [index, spec] of rest.entries()) {
    await trial.patch(name, { spec });
    await trial.untilPhase(`${name}-${index + 2}`, 'Complete');
  }
  await untilAtRest(name);
}

const untilAtRest = (name: string): Promise<DeploymentConfig> =>
  waitFor(`${name} is at rest`, async () => {
    const config = await trial.get(name);
    const { metadata, status } = config;
    return status?.observedGeneration === metadata.generation ? config : undefined;
  });

async function dryRun(...refs: string[]): Promise<readonly ConfigReport[]> {
  const { stdout, stderr } = await slipway('undo', ...refs, '--dry-run', '-o', 'json');
  if (stdout === '') throw new Error(stderr);
  return (JSON.parse(stdout) as RollbackReport).configs;
}

/** What may break, without what can't be known here: images that are in no registry. */
const risksOf = ({ warnings }: ConfigReport): readonly RollbackWarning[] =>
  warnings.filter(({ kind }) => kind !== 'NotChecked');

const standOf = async (name: string) => {
  const { metadata, spec, status } = await trial.get(name);
  return { generation: metadata.generation, spec, latestVersion: status?.latestVersion };
};

describe('a front end and a back end whose variables changed together', () => {
  const labels = { 'app.kubernetes.io/part-of': 'shop' };
  const withPort = (name: string, value: string): object => ({
    template: templateOf(name, { env: [{ name: 'API_PORT', value }] }, {}, labels),
  });
  beforeAll(async () => {
    await Promise.all(
      ['front', 'back'].map((name) =>
        createVersions(name, [withPort(name, '1'), withPort(name, '2')]),
      ),
    );
  });

  test('the front end alone: a warning that names the variable and the back end', async () => {
    const [front] = await dryRun('dc/front');
    expect(front).toMatchObject({ name: 'front', from: 2, to: 1, problems: [] });
    expect(front?.changes).toContainEqual({
      area: 'env',
      field: 'spec.template.spec.containers[web].env[API_PORT]',
      from: '2',
      to: '1',
    });
    expect(risksOf(front!)).toEqual([
      {
        kind: 'Environment',
        object: 'DeploymentConfig/back',
        message: 'API_PORT goes back from "2" to "1", and DeploymentConfig "back" keeps "2"',
      },
    ]);
  });

  test('for people: changes by area, and what may break', async () => {
    const before = await standOf('front');
    const { code, stdout, stderr } = await slipway('undo', 'dc/front', '--dry-run');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^dc\/front: version 2 would go back to version 1\n {2}env\n/);
    expect(stdout).toContain(
      '  - containers[web].env[API_PORT]: 2\n  + containers[web].env[API_PORT]: 1\n',
    );
    expect(stdout).toContain('  ! DeploymentConfig/back: API_PORT goes back from "2" to "1"');
    expect(stdout).toMatch(/\nIt can be done, with \d warnings\.\n$/);
    expect(await standOf('front')).toEqual(before);
  });

  test('together: no warning, and both go back in the order given', async () => {
    const reports = await dryRun('dc/front', 'dc/back');
    expect(reports.map(({ name, to }) => [name, to])).toEqual([
      ['front', 1],
      ['back', 1],
    ]);
    expect(reports.flatMap(risksOf)).toEqual([]);
    const words = ['undo', 'dc/front', 'dc/back', '--notes', 'orders get lost'];
    const { code, stdout, stderr } = await slipway(...words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /front: complete after .+: version 3, .+\n(.+\n)*.+back: complete after/,
    );
    expect(stdout).toContain('dc/front has gone back from version 2 to version 1, as version 3\n');
    expect(stdout).toContain('dc/back has gone back from version 2 to version 1, as version 3\n');
    expect(stdout).not.toContain('What to look at');
    expect(stdout).toContain(
      `Triggers are suspended until: slipway resume-triggers dc/front dc/back -n ${trial.namespace}\n`,
    );
    for (const name of ['front', 'back']) await trial.untilServing(`${name}-3`, 1);
    const history = await slipway('history', 'dc/front');
    expect(history.stdout).toContain('rollback from version 2 to version 1 (orders get lost)');
  });

  test('triggers act again when somebody says so, once', async () => {
    const resumed = await slipway('resume-triggers', 'dc/front', 'dc/back', '--reason', 'fixed');
    expect(resumed).toMatchObject({ code: 0, stderr: '' });
    expect(resumed.stdout.match(/: triggers resumed\n/g)).toHaveLength(2);
    for (const name of ['front', 'back']) {
      const { spec, status } = await trial.get(name);
      expect(spec.triggersSuspended ?? false).toBe(false);
      expect(status?.latestVersion).toBe(3);
    }
    const again = await slipway('resume-triggers', 'dc/front');
    expect(again.stdout).toMatch(/front: its triggers are not suspended\n$/);
    expect(again.code).toBe(0);
  });

  test('the front end alone goes back all the same, and is told of it afterwards', async () => {
    const { code, stdout } = await slipway('undo', 'dc/front@2', '-o', 'json');
    expect(code).toBe(0);
    const outcome = JSON.parse(stdout) as RollbackOutcome;
    expect(outcome).toMatchObject({
      phase: 'Complete',
      standings: [{ name: 'front', from: 3, to: 2, version: 4, state: 'Complete' }],
    });
    expect(outcome.report.configs.flatMap(risksOf).map(({ object }) => object)).toEqual([
      'DeploymentConfig/back',
    ]);
    const triggered = await slipway('trigger', 'dc/front', '--resume-triggers');
    expect(triggered.code).toBe(0);
    expect((await trial.get('front')).spec.triggersSuspended ?? false).toBe(false);
  });
});

/** All that Temporal keeps of a run, as it was before it was encoded. */
async function readRun(workflowId: string): Promise<string> {
  const history = await trial.temporal.workflow.getHandle(workflowId).fetchHistory();
  return JSON.stringify(history, (key, value: unknown) =>
    key === 'data' && typeof value === 'string' ? Buffer.from(value, 'base64').toString() : value,
  );
}

test('plain passwords are neither told nor kept in Temporal', async () => {
  const labels = { 'app.kubernetes.io/part-of': 'vault' };
  const using = (name: string, version: string): object => {
    const env = [
      { name: 'API_PORT', value: `port-${version}` },
      { name: 'DB_PASSWORD', value: `hunter-${version}` },
      { name: 'DB_URL', value: `postgres://vault:hunter-${version}@db/vault` },
    ];
    return { template: templateOf(name, { env }, {}, labels) };
  };
  await Promise.all(
    ['vault', 'door'].map((name) => createVersions(name, [using(name, 'a'), using(name, 'b')])),
  );
  const preview = await slipway('undo', 'dc/vault', '--dry-run');
  const field = 'containers[web].env[DB_PASSWORD]';
  expect(preview.stdout).toContain(`  - ${field}: (hidden)\n  + ${field}: (hidden), another one\n`);
  expect(preview.stdout).toContain('env[DB_URL]: postgres://vault:(hidden)@db/vault\n');
  expect(preview.stdout).toContain('DB_PASSWORD goes back from (hidden) to another one');
  const { code, stdout } = await slipway('undo', 'dc/vault');
  expect(code).toBe(0);
  const kept = await readRun(`rollback/local/${trial.namespace}/vault`);
  expect(kept).toContain('port-a');
  for (const text of [preview.stdout, stdout, kept]) expect(text).not.toContain('hunter');
});

describe('a registry that wants a password', () => {
  let registry: RegistryServer;
  let images: ImageTrial;
  beforeAll(async () => {
    registry = await startRegistry({ auth: 'password' });
    images = new ImageTrial(trial);
    // Says that it does without TLS; what opens it, the pods say.
    for (const repository of ['shop/web', 'shop/deployer']) {
      await images.create(repository.replace('/', '-'), `${registry.host}/${repository}`);
    }
    const auths = { [registry.host]: registryUser };
    const data = Buffer.from(JSON.stringify({ auths })).toString('base64');
    await create(resources.secrets, 'pull', {
      type: 'kubernetes.io/dockerconfigjson',
      data: { '.dockerconfigjson': data },
    });
  }, buildWithinMs);
  afterAll(() => registry.remove());

  const pod = { imagePullSecrets: [{ name: 'pull' }] };
  const running = (name: string, image: string): object => ({
    template: templateOf(name, { image }, pod),
  });

  test('an image that is there, by digest and by tag', async () => {
    const byDigest = await images.push(registry, 'shop/web', 'there', 'there');
    const byTag = `${registry.host}/shop/web:there`;
    const all = [byDigest, byTag, 'example.com/web:3'];
    await createVersions(
      'there',
      all.map((image) => running('there', image)),
    );
    for (const version of [1, 2]) {
      const [report] = await dryRun(`dc/there@${version}`);
      expect(report).toMatchObject({ to: version, problems: [], warnings: [] });
    }
  });

  test('an image that is gone: refused, and nothing was touched', async () => {
    const first = await images.push(registry, 'shop/web', 'v1', 'one');
    const second = await images.push(registry, 'shop/web', 'v2', 'two');
    await createVersions('gone', [running('gone', first), running('gone', second)]);
    const [possible] = await dryRun('dc/gone');
    expect(possible).toMatchObject({ problems: [], warnings: [] });
    await registry.writer.deleteManifest('shop/web', first.slice(first.indexOf('sha256:')));
    const before = await standOf('gone');
    const sentence = `the image ${first} is no longer in its registry, ${registry.host}`;
    const preview = await slipway('undo', 'dc/gone', '--dry-run');
    expect(preview.code).toBe(2);
    expect(preview.stdout).toContain(`  ✗ spec.template.spec.containers[web].image: ${sentence}\n`);
    expect(preview.stdout).toMatch(/\nIt can't be done: 1 problem\.\n$/);
    const refused = await slipway('undo', 'dc/gone');
    expect(refused).toEqual({
      code: 2,
      stdout: '',
      stderr: `slipway: dc/gone: spec.template.spec.containers[web].image: ${sentence}; nothing was changed\n`,
    });
    expect(await standOf('gone')).toEqual(before);
    expect(await trial.version('gone-3')).toBeUndefined();

    const { client } = trial.cluster;
    const { token } = await createAccount(client, trial.namespace, 'editor', ['get', 'update']);
    const api = await HttpApi.open(process.env['SLIPWAY_E2E_HTTP'] ?? '');
    const generate = (spec: object): Promise<HttpAnswer> =>
      api.call('POST', `/namespaces/${trial.namespace}/deploymentConfigRollbacks`, {
        token,
        body: { kind: 'DeploymentConfigRollback', name: 'gone', spec: { revision: 1, ...spec } },
      });
    const answer = await generate({ includeTemplate: true });
    const field = 'spec.template.spec.containers[web].image';
    expect([answer.code, answer.body]).toEqual([
      422,
      expect.objectContaining({ details: { causes: [{ field, message: sentence }] } }),
    ]);
    // What stays as it is keeps nothing from going back.
    expect((await generate({ includeStrategy: true })).code).toBe(200);
  });

  test('one of a group whose image is gone keeps all of them from going back', async () => {
    const image = await images.push(registry, 'shop/web', 'lost', 'lost');
    await createVersions('lost', [running('lost', image), running('lost', 'example.com/web:2')]);
    await createVersions('kept', [{}, running('kept', 'example.com/web:2')]);
    await registry.writer.deleteManifest('shop/web', image.slice(image.indexOf('sha256:')));
    const before = await standOf('kept');
    const { code, stdout, stderr } = await slipway('undo', 'dc/kept', 'dc/lost', '--parallel');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('dc/lost: spec.template.spec.containers[web].image: the image');
    expect(await standOf('kept')).toEqual(before);
  });

  test('a registry on this machine is asked without TLS, and without an ImageRepository', async () => {
    const open = await startRegistry();
    try {
      const image = await images.push(open, 'shop/open', 'v1', 'open');
      const of = (which: string) => ({ template: templateOf('opened', { image: which }) });
      await createVersions('opened', [of(image), of('example.com/web:2')]);
      expect((await dryRun('dc/opened'))[0]).toMatchObject({ problems: [], warnings: [] });
      await open.writer.deleteManifest('shop/open', image.slice(image.indexOf('sha256:')));
      const before = await standOf('opened');
      const { code, stderr } = await slipway('undo', 'dc/opened');
      expect(stderr).toContain(`dc/opened: spec.template.spec.containers[web].image: the image`);
      expect(code).toBe(2);
      expect(await standOf('opened')).toEqual(before);
    } finally {
      await open.remove();
    }
  });

  test('a registry that is slow: a dry run does not wait for it, and a rollback does', async () => {
    let nextMs = 0;
    // Is open to all, and has nothing that it is asked for.
    const slow = await startHttpServer(async ({ url }, response) => {
      const takesMs = nextMs;
      nextMs = 0;
      await delay(takesMs);
      response.writeHead(url === '/v2/' ? 200 : 404).end();
    });
    try {
      const of = (tag: string) => ({
        template: templateOf('slow', { image: `${slow.host}/shop/slow:${tag}` }),
      });
      await createVersions('slow', [of('v1'), of('v2')]);
      nextMs = 7_000;
      const [preview] = await dryRun('dc/slow');
      expect(preview?.problems).toEqual([]);
      expect(preview?.warnings).toMatchObject([{ kind: 'NotChecked' }]);
      const before = await standOf('slow');
      nextMs = 7_000;
      const { code, stderr } = await slipway('undo', 'dc/slow');
      expect(stderr).toContain('dc/slow: spec.template.spec.containers[web].image: the image');
      expect(code).toBe(2);
      expect(await standOf('slow')).toEqual(before);
    } finally {
      await slow.stop();
    }
  });

  test('without credentials nothing is known, which keeps nobody from going back', async () => {
    await images.push(registry, 'shop/web', 'closed', 'closed');
    const bare = (tag: string): object => ({
      template: templateOf('closed', { image: `${registry.host}/shop/web:${tag}` }),
    });
    await createVersions('closed', [bare('closed'), bare('v2')]);
    const [report] = await dryRun('dc/closed');
    expect(report?.problems).toEqual([]);
    expect(report?.warnings).toEqual([
      {
        kind: 'NotChecked',
        object: `Image/${registry.host}/shop/web:closed`,
        message: `whether it is still there is not known: ${registry.host} refuses to tell about shop/web: it wants credentials, and there are none for it`,
      },
    ]);
  });

  test('a registry that shows nothing of a repository may hide it, which keeps nobody from going back', async () => {
    await images.create('shop-hidden', `${registry.host}/shop/hidden`);
    const image = (tag: string): string => `${registry.host}/shop/hidden:${tag}`;
    await createVersions('hidden', [
      running('hidden', image('v1')),
      running('hidden', image('v2')),
    ]);
    const [report] = await dryRun('dc/hidden');
    expect(report?.problems).toEqual([]);
    expect(report?.warnings).toEqual([
      {
        kind: 'NotChecked',
        object: `Image/${image('v1')}`,
        message: `whether it is still there is not known: ${registry.host} refuses to tell about shop/hidden: it shows nothing of it, as registries do that hide what one may not see`,
      },
    ]);
    const { code } = await slipway('undo', 'dc/hidden');
    expect(code).toBe(0);
    expect((await trial.version('hidden-3'))?.metadata.name).toBe('hidden-3');
  });

  test('the image of a custom strategy comes back with the configuration, and with that alone', async () => {
    const image = await images.push(registry, 'shop/deployer', 'v1', 'deployer');
    const template = (version: number): object =>
      templateOf('custom', { image: `example.com/web:${version}` }, pod);
    await createVersions('custom', [
      {
        strategy: { type: 'Custom', customParams: { image }, annotations: exitCode('0') },
        template: template(1),
      },
      { strategy: { type: 'Recreate', customParams: null }, template: template(2) },
    ]);
    await registry.writer.deleteManifest('shop/deployer', image.slice(image.indexOf('sha256:')));
    const problemsOf = async (...words: string[]): Promise<string[]> => {
      const { stdout } = await slipway('undo', 'dc/custom', '--dry-run', '-o', 'json', ...words);
      const { configs } = JSON.parse(stdout) as RollbackReport;
      return configs.flatMap(({ problems }) => problems.map(({ field }) => field));
    };
    expect(await problemsOf('--application')).toEqual([]);
    expect(await problemsOf('--config')).toEqual(['spec.strategy.customParams.image']);
    expect(await problemsOf()).toEqual(['spec.strategy.customParams.image']);
  });

  test('what was edited and never deployed is told where it stays, and its image looked for', async () => {
    const [a, b] = await Promise.all(
      ['a', 'b'].map((tag) => images.push(registry, 'shop/web', `edited-${tag}`, `edited ${tag}`)),
    );
    const applied = (image: string): object => running('edited', image);
    await createVersions('edited', [applied(a!), applied(b!)]);
    expect((await slipway('undo', 'dc/edited')).code).toBe(0);
    // As CI does; triggers are suspended, so it makes no version.
    await trial.patch('edited', { spec: applied(b!) });
    await untilAtRest('edited');
    const preview = async (...words: string[]): Promise<ConfigReport> => {
      const all = ['undo', 'dc/edited@2', '--dry-run', '-o', 'json', ...words];
      const { configs } = JSON.parse((await slipway(...all)).stdout) as RollbackReport;
      return configs[0]!;
    };
    const field = 'spec.template.spec.containers[web].image';
    expect(await preview('--config')).toMatchObject({
      from: 3,
      to: 2,
      problems: [],
      warnings: [
        {
          kind: 'Undeployed',
          object: 'DeploymentConfig/edited',
          message: expect.stringMatching(
            /^what was edited since version 3 stays, and is deployed with it: spec\.template\.spec\.containers\[web\]\.image \(/,
          ),
        },
      ],
    });
    expect(await preview()).toMatchObject({ problems: [], warnings: [] });
    await registry.writer.deleteManifest('shop/web', b!.slice(b!.indexOf('sha256:')));
    const { problems } = await preview('--config');
    expect(problems.map((problem) => problem.field)).toEqual([field]);
    // Once it is as it was deployed, there is nothing to tell.
    await trial.patch('edited', { spec: applied(a!) });
    expect(await preview('--config')).toMatchObject({ problems: [], warnings: [] });
  });
});

const persistentVolumes: ResourceType = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  namespaced: false,
};

describe('what may break', () => {
  test('a ConfigMap, Secret, claim or account that is gone, or a key of one', async () => {
    const { client } = trial.cluster;
    const { namespace } = trial;
    const accessModes = ['ReadWriteOnce'];
    const volumeName = `${namespace}-data`;
    // Nobody provides volumes here, so the claim gets one that is there.
    await client.create(persistentVolumes, {
      metadata: { name: volumeName },
      spec: {
        accessModes,
        capacity: { storage: '1Gi' },
        hostPath: { path: '/nowhere' },
        persistentVolumeReclaimPolicy: 'Retain',
        claimRef: { namespace, name: 'data' },
      },
    } as KubernetesObject);
    const resourcesOf = { requests: { storage: '1Gi' } };
    const claim = {
      spec: { accessModes, volumeName, storageClassName: '', resources: resourcesOf },
    };
    await create(resources.configMaps, 'settings', { data: { port: '1' } });
    await create(resources.configMaps, 'shared', { data: { mode: 'a' } });
    await create(resources.secrets, 'tokens', { stringData: { api: 'very secret' } });
    await create(resources.persistentVolumeClaims, 'data', claim);
    await create(resources.serviceAccounts, 'robot', {});
    const from = (kind: string, name: string, key: string, optional = false): object => ({
      name: `${name}_${key}`.toUpperCase(),
      valueFrom: { [kind]: { name, key, optional } },
    });
    const volumes = [
      { name: 'settings', configMap: { name: 'settings' } },
      { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
    ];
    const variables = [
      from('secretKeyRef', 'tokens', 'api'),
      from('configMapKeyRef', 'shared', 'mode'),
      from('configMapKeyRef', 'never', 'there', true),
    ];
    const needy = templateOf('needy', { env: variables }, { volumes, serviceAccountName: 'robot' });
    await createVersions('needy', [
      { template: needy },
      { template: templateOf('needy', { env: [] }, { volumes: [], serviceAccountName: null }) },
    ]);
    const [before] = await dryRun('dc/needy');
    expect(risksOf(before!)).toEqual([]);
    await client.delete(resources.configMaps, namespace, 'settings');
    await client.delete(resources.secrets, namespace, 'tokens');
    await client.delete(resources.serviceAccounts, namespace, 'robot');
    await client.patch(resources.configMaps, namespace, 'shared', 'merge', {
      data: { mode: null, other: 'b' },
    });
    await client.patch(resources.persistentVolumeClaims, namespace, 'data', 'merge', {
      metadata: { finalizers: null },
    });
    await client.delete(resources.persistentVolumeClaims, namespace, 'data');
    await client.delete(persistentVolumes, undefined, volumeName);
    const [after] = await dryRun('dc/needy');
    const inPod = 'spec.template.spec';
    expect(risksOf(after!).map(({ object, message }) => `${object}: ${message}`)).toEqual([
      `Secret/tokens: it is gone, and ${inPod}.containers[web].env[TOKENS_API] needs it`,
      `ConfigMap/shared: it has no key "mode", and ${inPod}.containers[web].env[SHARED_MODE] needs it`,
      `ConfigMap/settings: it is gone, and ${inPod}.volumes[settings] needs it`,
      `PersistentVolumeClaim/data: it is gone, and ${inPod}.volumes[data] needs it`,
      `ServiceAccount/robot: it is gone, and ${inPod}.serviceAccountName needs it`,
    ]);
    expect(after?.problems).toEqual([]);
    expect(JSON.stringify([before, after])).not.toContain('very secret');
  });

  test("a Service's target port that goes", async () => {
    const listening = (name: string): object => ({
      template: templateOf('served', { ports: [{ name, containerPort: 8080 }] }),
    });
    await createVersions('served', [listening('old'), listening('http')]);
    await create(resources.services, 'served', {
      spec: {
        selector: { deploymentconfig: 'served' },
        ports: [
          { name: 'a', port: 80, targetPort: 'http' },
          { name: 'b', port: 81, targetPort: 8080 },
        ],
      },
    });
    const [report] = await dryRun('dc/served');
    expect(risksOf(report!)).toEqual([
      {
        kind: 'ServicePort',
        object: 'Service/served',
        message: 'its port 80 sends to port "http" of the pods, which they will no longer have',
      },
    ]);
  });

  test('a hook that has run since', async () => {
    const strategy = (hook: object | null): object => ({
      strategy: { type: 'Rolling', lifecycle: { pre: hook } },
    });
    const migrate = {
      failurePolicy: 'Abort',
      execNewPod: { command: ['rake', 'db:migrate'], containerName: 'web' },
    };
    await createVersions('migrated', [strategy(null)]);
    await trial.patch('migrated', {
      spec: { ...strategy(migrate), template: trial.template('migrated', 'example.com/web:2') },
    });
    await hooks.end('migrated-2', 'pre', 0);
    await trial.untilPhase('migrated-2', 'Complete');
    const [report] = await dryRun('dc/migrated');
    expect(risksOf(report!)).toEqual([
      {
        kind: 'HookSince',
        object: 'ReplicationController/migrated-2',
        message: expect.stringMatching(
          /^the pre hook of version 2 \(rake db:migrate\) has run since, at 20\S+Z, and is not undone by going back$/,
        ),
      },
    ]);
    const areas = new Set(report?.changes.map(({ area }) => area));
    expect(areas).toEqual(new Set(['images', 'strategy', 'triggers']));
  });

  test('a hook that runs, and its abort hook, which then does not run', async () => {
    const hook = (failurePolicy: string, command: string): object => ({
      failurePolicy,
      execNewPod: { command: ['rake', command], containerName: 'web' },
    });
    const lifecycle = { pre: hook('Abort', 'db:migrate'), abort: hook('Retry', 'db:rollback') };
    await createVersions('midway', [{ strategy: { type: 'Rolling' } }]);
    const template = trial.template('midway', 'example.com/web:2');
    await trial.patch('midway', { spec: { strategy: { type: 'Rolling', lifecycle }, template } });
    await hooks.untilPhase('midway-2', 'pre', 'Running');
    const [report] = await dryRun('dc/midway');
    expect(report?.problems).toEqual([]);
    const named = 'the pre hook of version 2 (rake db:migrate)';
    const object = 'ReplicationController/midway-2';
    expect(risksOf(report!)).toEqual([
      { kind: 'HookSince', object, message: `${named} is running, and will be ended` },
    ]);
    const { code, stdout } = await slipway('undo', 'dc/midway');
    expect(code).toBe(0);
    expect(stdout).toContain(`  ! ${object}: ${named} is running, and will be ended\n`);
    await hooks.untilPhase('midway-2', 'pre', 'Failed');
    await trial.untilServing('midway-3', 1);
    expect(await hooks.find('midway-2', 'abort')).toBeUndefined();
    const [after] = await dryRun('dc/midway@1');
    expect(risksOf(after!)).toEqual([
      {
        kind: 'HookSince',
        object,
        message: expect.stringMatching(
          /db:migrate\) has failed since, at 20\S+Z, and may have done a part of it$/,
        ),
      },
    ]);
  });
});

describe('what the apiserver would not have', () => {
  const name = 'unfit';
  /** Version 1 as a cluster with another schema might have left it. */
  const rewrite = async (spec: object): Promise<void> => {
    const snapshot = decodeConfig((await trial.version(`${name}-1`))!)!;
    const encoded = JSON.stringify({ ...snapshot, spec: { ...snapshot.spec, ...spec } });
    await trial.annotateVersion(`${name}-1`, { [configAnnotations.encodedConfig]: encoded });
  };
  beforeAll(() => createVersions(name, [plain(name, 1), plain(name, 2)]));

  test('a field that the cluster does not know is found before anything is written', async () => {
    await rewrite({ strategy: { type: 'Rolling', flavour: 'mint' } });
    const before = await standOf(name);
    const { code, stdout, stderr } = await slipway('undo', `dc/${name}`);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: `slipway: dc/${name}: spec.strategy.flavour: the cluster knows no such field; nothing was changed\n`,
    });
    expect(await standOf(name)).toEqual(before);
  });

  test('is found though the status was written in between', async () => {
    const { client } = trial.cluster;
    const config = await trial.get(name);
    const type = resources.deploymentConfigs;
    const status = { status: { unavailableReplicas: 1 } };
    await client.patch(type, trial.namespace, name, 'merge', status, { subresource: 'status' });
    const proposed = { ...config, spec: { ...config.spec, replicas: -1 } };
    const problems = await findWriteProblems(client, proposed);
    expect(problems.map(({ field }) => field)).toContain('spec.replicas');
    expect(await findWriteProblems(client, config)).toEqual([]);
  });
});

const admission = 'admissionregistration.k8s.io/v1';
const policies: ResourceType = {
  apiVersion: admission,
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
  namespaced: false,
};
const policyBindings: ResourceType = {
  apiVersion: admission,
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
  namespaced: false,
};

describe('what a policy of the cluster forbids', () => {
  const name = 'barred';
  const words = 'version 1 of the web is barred';
  const images = ['example.com/web:1', 'example.com/web:2'];
  let policy = '';

  /** In this namespace alone, since others share the cluster. */
  async function forbid(): Promise<void> {
    const { client } = trial.cluster;
    const rule = {
      apiGroups: ['apps.openshift.io'],
      apiVersions: ['*'],
      operations: ['UPDATE'],
      resources: ['deploymentconfigs'],
    };
    const expression = `object.metadata.name != "${name}" || object.spec.template.spec.containers.all(c, c.image != "${images[0]}")`;
    await client.create(policies, {
      metadata: { name: policy },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: { resourceRules: [rule] },
        validations: [{ expression, message: words, reason: 'Forbidden' }],
      },
    } as KubernetesObject);
    const matchLabels = { 'kubernetes.io/metadata.name': trial.namespace };
    await client.create(policyBindings, {
      metadata: { name: policy },
      spec: {
        policyName: policy,
        validationActions: ['Deny'],
        matchResources: { namespaceSelector: { matchLabels } },
      },
    } as KubernetesObject);
    await waitFor('the policy is in force', async () => {
      const config = await trial.get(name);
      const template = templateOf(name, { image: images[0] }) as typeof config.spec.template;
      const proposed = { ...config, spec: { ...config.spec, template } };
      const problems = await findWriteProblems(client, proposed);
      return problems.length > 0 ? true : undefined;
    });
  }

  beforeAll(async () => {
    policy = `${trial.namespace}-barred`;
    await createVersions(
      name,
      images.map((image) => ({ template: templateOf(name, { image }) })),
    );
    await forbid();
  });
  afterAll(async () => {
    const { client } = trial.cluster;
    await client.delete(policyBindings, undefined, policy);
    await client.delete(policies, undefined, policy);
  });

  test('is refused in the words of the policy, and nothing was touched', async () => {
    const before = await standOf(name);
    const { code, stdout, stderr } = await slipway('undo', `dc/${name}`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^slipway: dc\/barred: spec: .*; nothing was changed\n$/);
    expect(stderr).toContain(words);
    expect(await standOf(name)).toEqual(before);
  });

  test('a block that asks for it is taken away, and a condition says why', async () => {
    const before = await standOf(name);
    await trial.patch(name, { rollback: { release: 1 } });
    const told = await trial.untilCondition(name, 'RollbackRefused', 'NotPossible');
    const condition = told.status?.conditions?.find(({ type }) => type === 'RollbackRefused');
    expect(condition?.message).toContain(words);
    await waitFor('the block is gone', async () =>
      (await trial.get(name)).rollback === undefined ? true : undefined,
    );
    const { spec, latestVersion } = await standOf(name);
    expect({ spec, latestVersion }).toEqual({
      spec: before.spec,
      latestVersion: before.latestVersion,
    });
  });
});

/** What kwok has a run-once pod end with. */
function exitCode(code: string | null): object {
  return { 'kwok.slipway.dev/exit-code': code };
}

/** With a hook that ends as told by the strategy that a version has. */
const hooked = (name: string, version: number, code: string | null): object => ({
  template: trial.template(name, `example.com/web:${version}`),
  strategy: {
    type: 'Rolling',
    lifecycle: {
      pre: { failurePolicy: 'Abort', execNewPod: { command: ['check'], containerName: 'web' } },
    },
    annotations: exitCode(code),
  },
});

const plain = (name: string, version: number): object => ({
  template: trial.template(name, `example.com/web:${version}`),
});

describe('a group of which one fails', () => {
  let stdout = '';
  beforeAll(async () => {
    await Promise.all([
      createVersions('alpha', [plain('alpha', 1), plain('alpha', 2)]),
      createVersions('beta', [hooked('beta', 1, '0'), hooked('beta', 2, '0')]),
      createVersions('gamma', [plain('gamma', 1), plain('gamma', 2)]),
    ]);
    // The strategy is no reason for a version, and stays when the application goes back.
    await trial.patch('beta', { spec: { strategy: { annotations: exitCode('1') } } });
    await untilAtRest('beta');
  });

  const lineAfter = (beginning: string): string =>
    stdout
      .split('\n')
      .find((line) => line.startsWith(beginning))
      ?.slice(beginning.length)
      .trim() ?? '';

  test('the rest stays as it is, and where each stands is told, with the commands to go on or back', async () => {
    const refs = ['dc/alpha', 'dc/beta', 'dc/gamma'];
    const result = await slipway('undo', ...refs, '--application', '--notes', 'too slow');
    ({ stdout } = result);
    expect(result.code).toBe(1);
    expect(stdout).toContain('dc/alpha has gone back from version 2 to version 1, as version 3\n');
    expect(stdout).toMatch(
      /^dc\/beta failed on its way back from version 2 to version 1, as version 3: .*pre hook/m,
    );
    expect(stdout).toContain('dc/gamma was left as it was, at version 2\n');
    expect(lineAfter('To go on:')).toBe(
      `slipway undo dc/beta@1 dc/gamma@1 --application --notes 'too slow' -n ${trial.namespace}`,
    );
    expect(lineAfter('To go back:')).toBe(
      `slipway undo dc/beta@2 dc/alpha@2 -n ${trial.namespace}`,
    );
    expect((await trial.get('gamma')).status?.latestVersion).toBe(2);
    expect(stdout).not.toContain('Triggers are suspended until');
  });

  test('the command to go back is one', async () => {
    const words = lineAfter('To go back:').split(' ').slice(1);
    const { code, stdout: told } = await runSlipway(words, { env });
    expect(told).toContain('dc/beta has gone back from version 3 to version 2, as version 4\n');
    expect(told).toContain('dc/alpha has gone back from version 3 to version 2, as version 4\n');
    expect(code).toBe(0);
    for (const name of ['alpha', 'beta']) {
      const { spec } = await trial.get(name);
      expect(spec.template.spec?.containers[0]?.image).toBe('example.com/web:2');
    }
  });
});

describe('a rollback that somebody stops', () => {
  const name = 'halted';
  const workflowId = (): string => `rollback/local/${trial.namespace}/${name}`;
  beforeAll(async () => {
    await createVersions(name, [hooked(name, 1, '0'), hooked(name, 2, '0')]);
    // From now on, its hook goes on for ever.
    await trial.patch(name, { spec: { strategy: { annotations: exitCode(null) } } });
    await untilAtRest(name);
  });

  test('by cancelling its version: 3', async () => {
    const following = slipway('undo', `dc/${name}`, '--application');
    await hooks.until(`${name}-3`, 'pre');
    expect((await slipway('cancel', `dc/${name}`, '--reason', 'wrong one')).code).toBe(0);
    const { code, stdout } = await following;
    expect(stdout).toMatch(/^dc\/halted failed on its way back .+ cancelled by .+: wrong one$/m);
    expect(code).toBe(3);
  });

  test('while it goes on, no second one is begun, and who waits no longer is told so', async () => {
    const words = ['undo', `dc/${name}@1`, '--application'];
    const impatient = slipway(...words, '--timeout', '10s');
    await hooks.until(`${name}-4`, 'pre');
    const second = await slipway(...words);
    expect(second).toEqual({
      code: 2,
      stdout: '',
      stderr: `slipway: a rollback of ${name} is under way already: ${workflowId()}; nothing was changed\n`,
    });
    const { code, stderr } = await impatient;
    expect(code).toBe(1);
    expect(stderr).toBe(
      'slipway: --timeout: not complete after 10s; the rollback goes on without us\n',
    );
  });

  test("by Temporal's cancel: 3", async () => {
    await trial.temporal.workflow.getHandle(workflowId()).cancel();
    await trial.untilPhase(`${name}-4`, 'Failed');
    await waitFor('the run has ended', async () => {
      const { status } = await trial.temporal.workflow.getHandle(workflowId()).describe();
      return status.name === 'CANCELLED' ? true : undefined;
    });
    const following = slipway('undo', `dc/${name}@1`, '--application');
    await hooks.until(`${name}-5`, 'pre');
    await trial.temporal.workflow.getHandle(workflowId()).cancel();
    const { code, stdout, stderr } = await following;
    expect({ code, stderr }).toEqual({ code: 3, stderr: 'slipway: the rollback was cancelled\n' });
    expect(stdout).toMatch(/^dc\/halted failed on its way back .+: cancelled by the user$/m);
  });

  test('a group says where each stands, with the commands to go on or back', async () => {
    const names = ['prompt', name, 'later'];
    for (const each of ['prompt', 'later']) {
      await createVersions(each, [plain(each, 1), plain(each, 2)]);
    }
    const refs = names.map((each) => `dc/${each}@1`);
    const following = slipway('undo', ...refs, '--application', '-o', 'json');
    await hooks.until(`${name}-6`, 'pre');
    const groupId = `rollback/local/${trial.namespace}/${names.join('+')}`;
    await trial.temporal.workflow.getHandle(groupId).cancel();
    const { code, stdout, stderr } = await following;
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      phase: 'Cancelled',
      standings: [
        { name: 'prompt', version: 3, state: 'Complete' },
        { name, version: 6, state: 'Failed', reason: 'cancelled by the user' },
        { name: 'later', state: 'Untouched' },
      ],
    });
    expect(stderr).toContain('dc/prompt has gone back from version 2 to version 1, as version 3\n');
    expect(stderr).toContain('dc/later was left as it was, at version 2\n');
    expect(stderr).toContain(
      `To go on:    slipway undo dc/${name}@1 dc/later@1 --application -n ${trial.namespace}`,
    );
    expect(stderr).toContain(`To go back:  slipway undo dc/prompt@2 -n ${trial.namespace}\n`);
    expect(stderr).toContain(`dc/${name} can't go back to version 5, which was never complete\n`);
    expect(stderr).toMatch(/slipway: the rollback was cancelled\n$/);
  });
});

describe('bad input is one sentence, and changes nothing', () => {
  beforeAll(async () => {
    await createVersions('plain', [plain('plain', 1), plain('plain', 2)]);
    await createVersions('other', [plain('other', 1), plain('other', 2)]);
  });

  test.each<[string[], string]>([
    [['dc/plain', 'dc/plain'], 'dc/plain: it is named twice'],
    [
      ['dc/plain', 'dc/other', '--to-revision', '1'],
      '--to-revision: each of several has revisions of its own: write dc/plain@1 dc/other@1',
    ],
    [
      ['dc/plain@1', '--to-revision', '1'],
      '--to-revision: dc/plain@1 says already which one is meant',
    ],
    [
      ['dc/plain', 'deployment/plain'],
      'deployment/plain: DeploymentConfigs go back together with each other alone; undo it by itself',
    ],
    [
      ['deployment/plain', '--config'],
      '--config: it is for DeploymentConfigs, and deployment/plain is none',
    ],
    [['dc/plain@x'], 'KIND/NAME@REVISION: "x" in "dc/plain@x" is no revision of "history"'],
    [
      ['dc/plain@99999999999999999'],
      'deploymentconfig.apps.openshift.io/plain: there is no version 99999999999999999',
    ],
  ])('%j', async (words, sentence) => {
    const before = await standOf('plain');
    const { code, stdout, stderr } = await slipway('undo', ...words);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: `slipway: ${sentence}\n`,
    });
    expect(await standOf('plain')).toEqual(before);
  });

  test('what is not there', async () => {
    const missing = await slipway('undo', 'dc/plain', 'dc/nowhere');
    expect(missing).toMatchObject({ code: 2, stdout: '' });
    expect(missing.stderr).toContain('dc/nowhere: namespace');
    const release = await slipway('undo', 'dc/plain@7');
    expect(release).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'slipway: dc/plain: release: there is no version 7 of plain; it has 1, 2; nothing was changed\n',
    });
    expect((await trial.get('plain')).status?.latestVersion).toBe(2);
  });

  test('who may not change a config may not take it back, though the worker could', async () => {
    const { token } = await createAccount(trial.cluster.client, trial.namespace, 'reader', ['get']);
    const config = parse(await readFile(servers.kubeconfig, 'utf8')) as {
      users: { name: string; user: object }[];
    };
    const kubeconfig = join(folder, 'reader.yaml');
    const users = config.users.map(({ name }) => ({ name, user: { token } }));
    await writeFile(kubeconfig, stringify({ ...config, users }));
    const before = await standOf('plain');
    const words = ['undo', 'dc/plain', '-n', trial.namespace];
    const result = await runSlipway(words, { env: { ...env, KUBECONFIG: kubeconfig } });
    expect(result).toEqual({
      code: 2,
      stdout: '',
      stderr: `slipway: you may not update deploymentconfigs.apps.openshift.io "plain" in namespace "${trial.namespace}"; nothing was changed\n`,
    });
    expect(await standOf('plain')).toEqual(before);
  });
});

test('a Deployment goes back as before, and keeps the notes as its change-cause', async () => {
  const type = resources.slipwayDeployments;
  const { client } = trial.cluster;
  const { namespace } = trial;
  const template = (image: string) => trial.template('old-way', image);
  await create<Deployment>(type, 'old-way', {
    spec: { replicas: 1, template: template('example.com/web:1') },
  });
  const untilRevision = (revision: string): Promise<Deployment> =>
    waitFor(`revision ${revision} is complete`, async () => {
      const found = await client.get<Deployment>(type, namespace, 'old-way');
      const own = found.metadata.annotations?.['deployment.kubernetes.io/revision'];
      const isComplete = found.status?.updatedReplicas === 1 && found.status.replicas === 1;
      return own === revision && isComplete ? found : undefined;
    });
  await untilRevision('1');
  await client.patch(type, namespace, 'old-way', 'merge', {
    spec: { template: template('example.com/web:2') },
  });
  await untilRevision('2');
  const { code } = await slipway('undo', 'sdeploy/old-way@1', '--notes', 'orders get lost');
  expect(code).toBe(0);
  const { metadata } = await untilRevision('3');
  expect(metadata.annotations?.['kubernetes.io/change-cause']).toBe('orders get lost');
});
