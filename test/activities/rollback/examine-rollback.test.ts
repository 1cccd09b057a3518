import { describe, expect, test } from '@jest/globals';

import {
  examineRollback,
  type ExaminedMember,
} from '../../../src/activities/rollback/examine-rollback.js';
import type { RollbackMember } from '../../../src/contracts/rollback.js';
import type { RegistryAnswer } from '../../../src/domain/images/registry-answer.js';
import type { ConfigReport } from '../../../src/domain/rollback/report.js';
import type { RollbackWish } from '../../../src/domain/rollback/wish.js';
import { ApiError } from '../../../src/kubernetes/api-error.js';
import type { KubernetesClient, WriteOptions } from '../../../src/kubernetes/client.js';
import { configAnnotations } from '../../../src/kubernetes/deployment-configs/annotations.js';
import { buildController } from '../../../src/kubernetes/deployment-configs/build-controller.js';
import type {
  DeploymentConfig,
  DeploymentConfigSpec,
  ReplicationController,
} from '../../../src/kubernetes/deployment-configs/objects.js';
import { hookAnnotations } from '../../../src/kubernetes/hooks/annotations.js';
import type { KubernetesObject } from '../../../src/kubernetes/objects.js';
import type { ResourceType } from '../../../src/kubernetes/resources.js';
import type { RegistryAccess, RegistryClient } from '../../../src/registry/registry-client.js';

const namespace = 'shop';
const digest = `sha256:${'a'.repeat(64)}`;
const image = (name: string): string => `registry.example.com/${name}@${digest}`;

type Env = Record<string, string>;

function specOf(
  name: string,
  env: Env,
  rest: Partial<DeploymentConfigSpec> = {},
): DeploymentConfigSpec {
  const variables = Object.entries(env).map(([key, value]) => ({ name: key, value }));
  return {
    replicas: 1,
    template: {
      metadata: { labels: { app: name, 'app.kubernetes.io/part-of': 'shop' } },
      spec: { containers: [{ name: 'main', image: image(name), env: variables }] },
    },
    ...rest,
  };
}

function configOf(
  name: string,
  latestVersion: number,
  spec: DeploymentConfigSpec,
): DeploymentConfig {
  return { metadata: { name, namespace, uid: `${name}-uid` }, spec, status: { latestVersion } };
}

function versionOf(
  name: string,
  version: number,
  spec: DeploymentConfigSpec,
  annotations: Env = {},
): ReplicationController {
  const controller = buildController(configOf(name, version, spec), version);
  const all = {
    ...controller.metadata.annotations,
    [configAnnotations.phase]: 'Complete',
    ...annotations,
  };
  return { ...controller, metadata: { ...controller.metadata, annotations: all } };
}

/** Version 1 of a config, version 2 of it, and the config as it stands with the latter. */
const history = (name: string, first: DeploymentConfigSpec, second: DeploymentConfigSpec) => ({
  DeploymentConfig: [configOf(name, 2, second)],
  ReplicationController: [versionOf(name, 1, first), versionOf(name, 2, second)],
});

type Objects = Record<string, readonly KubernetesObject[]>;

/** What is in the namespace, by kind; an error instead of a list is what the apiserver answers. */
function clusterOf(objects: Objects, errors: Record<string, ApiError> = {}) {
  const asked: string[] = [];
  const find = (how: string, { kind }: ResourceType, name: string): Promise<KubernetesObject> => {
    asked.push(`${how} ${kind}/${name}`);
    const error = errors[kind];
    const found = objects[kind]?.find(({ metadata }) => metadata.name === name);
    if (error !== undefined) return Promise.reject(error);
    return found === undefined
      ? Promise.reject(new ApiError(404, 'NotFound', 'not found'))
      : Promise.resolve(found);
  };
  const client = {
    get: (type: ResourceType, _namespace: string, name: string) => find('get', type, name),
    getMetadata: async (type: ResourceType, _namespace: string, name: string) => ({
      metadata: (await find('metadata', type, name)).metadata,
    }),
    list: ({ kind }: ResourceType) => {
      asked.push(`list ${kind}`);
      const error = errors[kind];
      return error === undefined
        ? Promise.resolve({ metadata: {}, items: [...(objects[kind] ?? [])] })
        : Promise.reject(error);
    },
    replace: (_type: ResourceType, object: KubernetesObject, options: WriteOptions) => {
      const refusal = errors['dry run'];
      if (options.dryRun !== true) throw new Error('nothing may be written');
      return refusal === undefined ? Promise.resolve(object) : Promise.reject(refusal);
    },
  } as unknown as KubernetesClient;
  return { client, asked };
}

function registryOf(answer: RegistryAnswer = { kind: 'found', digest }) {
  const asked: { readonly reference: string; readonly access: RegistryAccess | undefined }[] = [];
  const answerTo: RegistryClient['findDigest'] = ({ registry, repository }, reference, access) => {
    asked.push({ reference: `${registry}/${repository} ${reference}`, access });
    return Promise.resolve(answer);
  };
  return { resolveTag: answerTo, findDigest: answerTo, asked };
}

const member = (name: string, wish: Partial<RollbackWish> = {}): RollbackMember => ({
  name,
  wish: { config: true, application: true, ...wish },
});

async function examine(
  objects: Objects,
  members: readonly ExaminedMember[],
  registry = registryOf(),
  errors: Record<string, ApiError> = {},
) {
  const { client, asked } = clusterOf(objects, errors);
  const { configs } = await examineRollback(client, registry, { namespace, members });
  const [first] = configs;
  return { configs, first: first as ConfigReport, asked };
}

const join = (...all: Objects[]): Objects => {
  const kinds = new Set(all.flatMap((objects) => Object.keys(objects)));
  return Object.fromEntries(
    [...kinds].map((kind) => [kind, all.flatMap((objects) => objects[kind] ?? [])]),
  );
};

const web = history('web', specOf('web', { API_PORT: '1' }), specOf('web', { API_PORT: '2' }));
const db = history('db', specOf('db', { API_PORT: '1' }), specOf('db', { API_PORT: '2' }));

test('what would change, from the version there is to the last complete one before it', async () => {
  const { first } = await examine(web, [member('web')]);
  expect(first).toEqual({
    name: 'web',
    from: 2,
    to: 1,
    changes: [
      {
        area: 'env',
        field: 'spec.template.spec.containers[main].env[API_PORT]',
        from: '2',
        to: '1',
      },
      { area: 'triggers', field: 'spec.triggersSuspended', to: 'true' },
    ],
    problems: [],
    warnings: [],
    base: { uid: 'web-uid', generation: 0 },
  });
});

test('what the apiserver would not have is a problem', async () => {
  const refusal = new ApiError(422, 'Invalid', 'spec.replicas: too many');
  const { first } = await examine(web, [member('web')], registryOf(), { 'dry run': refusal });
  expect(first.problems).toEqual([{ field: 'spec', message: 'spec.replicas: too many' }]);
});

test('of parts that are named one by one, no other goes back', async () => {
  const before = specOf('web', { API_PORT: '1' }, { replicas: 3, strategy: { type: 'Recreate' } });
  const now = specOf('web', { API_PORT: '2' }, { replicas: 5, strategy: { type: 'Rolling' } });
  const none = { labels: false, triggers: false, replicas: false, selector: false };
  const parts = { ...none, strategy: false, template: true };
  const { first } = await examine(history('web', before, now), [{ ...member('web'), parts }]);
  expect(first.changes.map(({ field }) => field)).toEqual([
    'spec.template.spec.containers[main].env[API_PORT]',
    'spec.triggersSuspended',
  ]);
});

describe('a group', () => {
  test('of a front end and a back end whose variables changed together', async () => {
    const { configs, asked } = await examine(join(web, db), [member('web'), member('db')]);
    expect(configs.map(({ name, to, warnings }) => [name, to, warnings])).toEqual([
      ['web', 1, []],
      ['db', 1, []],
    ]);
    expect(asked.filter((question) => question.startsWith('list'))).toEqual([
      'list DeploymentConfig',
      'list ReplicationController',
      'list Deployment',
      'list Service',
      'list ImageRepository',
    ]);
  });

  test('the front end alone: the variable and the back end are named', async () => {
    const { first } = await examine(join(web, db), [member('web')]);
    expect(first.warnings).toEqual([
      {
        kind: 'Environment',
        object: 'DeploymentConfig/db',
        message: 'API_PORT goes back from "2" to "1", and DeploymentConfig "db" keeps "2"',
      },
    ]);
  });

  test('one that can not go back is taken to stay as it is', async () => {
    const { configs } = await examine(join(web, db), [member('web'), member('db', { release: 7 })]);
    expect(configs[0]?.warnings.map(({ kind }) => kind)).toEqual(['Environment']);
    expect(configs[1]).toMatchObject({ name: 'db', from: 2, to: 7, changes: [], warnings: [] });
    expect(configs[1]?.problems.map(({ field }) => field)).toEqual(['release']);
  });

  test('a config that is not there', async () => {
    const { first } = await examine(web, [member('wbe')]);
    expect(first).toMatchObject({ name: 'wbe', from: 0, to: 0 });
    expect(first.problems).toEqual([
      { field: 'name', message: 'there is no DeploymentConfig "wbe" in namespace "shop"' },
    ]);
  });
});

test('a Deployment of the same application that relies on a variable', async () => {
  const deployment = { metadata: { name: 'db' }, spec: specOf('db', { API_PORT: '2' }) };
  const { first } = await examine(join(web, { Deployment: [deployment] }), [member('web')]);
  expect(first.warnings.map(({ object }) => object)).toEqual(['Deployment/db']);
});

test('a Service whose target port goes', async () => {
  const withPort = (name: string): DeploymentConfigSpec => {
    const spec = specOf('web', {});
    const containers = [
      { name: 'main', image: image('web'), ports: [{ name, containerPort: 80 }] },
    ];
    return { ...spec, template: { ...spec.template, spec: { containers } } };
  };
  const service = {
    metadata: { name: 'web' },
    spec: { selector: { deploymentconfig: 'web' }, ports: [{ port: 80, targetPort: 'http' }] },
  };
  const objects = join(history('web', withPort('old'), withPort('http')), { Service: [service] });
  const { first } = await examine(objects, [member('web')]);
  expect(first.warnings.map(({ kind, object }) => [kind, object])).toEqual([
    ['ServicePort', 'Service/web'],
  ]);
});

test('a hook that has run since, or is about it', async () => {
  const hook = { failurePolicy: 'Abort' as const, execNewPod: { command: ['rake', 'up'] } };
  const spec = specOf('web', {}, { strategy: { type: 'Rolling', lifecycle: { pre: hook } } });
  const done = { [hookAnnotations('pre').phase]: 'Succeeded' };
  const failed = {
    [hookAnnotations('pre').phase]: 'Failed',
    [hookAnnotations('pre').record]: '{"ended":1}',
  };
  const running = { [hookAnnotations('pre').phase]: 'Running' };
  const objects = (annotations: Env): Objects => ({
    DeploymentConfig: [configOf('web', 2, spec)],
    ReplicationController: [
      versionOf('web', 1, spec, done),
      versionOf('web', 2, spec, annotations),
    ],
  });
  const { first } = await examine(objects(done), [member('web')]);
  expect(first.warnings).toEqual([
    {
      kind: 'HookSince',
      object: 'ReplicationController/web-2',
      message: 'the pre hook of version 2 (rake up) has run since, and is not undone by going back',
    },
  ]);
  const messagesOf = async (annotations: Env): Promise<string[]> =>
    (await examine(objects(annotations), [member('web')])).first.warnings.map(
      ({ message }) => message,
    );
  const named = 'the pre hook of version 2 (rake up)';
  expect(await messagesOf(failed)).toEqual([
    `${named} has failed since, and may have done a part of it`,
  ]);
  expect(await messagesOf(running)).toEqual([`${named} is running, and will be ended`]);
  expect(await messagesOf({})).toEqual([]);
});

describe('an edit that was never deployed', () => {
  const edited = specOf('web', { API_PORT: '3' });
  const pods = { containers: [{ name: 'main', image: image('other') }] };
  const objects: Objects = {
    ...web,
    DeploymentConfig: [
      configOf('web', 2, { ...edited, template: { ...edited.template, spec: pods } }),
    ],
  };
  const config = member('web', { application: false });

  test('is told where it stays, and its images are looked for', async () => {
    const registry = registryOf({ kind: 'missing' });
    const { first } = await examine(objects, [config], registry);
    expect(registry.asked.map(({ reference }) => reference)).toEqual([
      `registry.example.com/other ${digest}`,
    ]);
    expect(first.problems.map(({ field }) => field)).toEqual([
      'spec.template.spec.containers[main].image',
    ]);
    const inMain = 'spec.template.spec.containers[main]';
    expect(first.warnings).toEqual([
      {
        kind: 'Undeployed',
        object: 'DeploymentConfig/web',
        message: expect.stringMatching(/^what was edited since version 2 stays, .* with it: /),
      },
    ]);
    expect(first.warnings[0]?.message).toContain(`${inMain}.image (`);
    expect(first.warnings[0]?.message).toContain(`${inMain}.env[API_PORT] (2 → none)`);
  });

  test('goes where all goes back', async () => {
    expect((await examine(objects, [member('web')])).first.warnings).toEqual([]);
  });

  test('counts since the last version that there is, where the cluster refused the latest', async () => {
    const refused = { ...objects, ReplicationController: web.ReplicationController.slice(0, 1) };
    const { first } = await examine(refused, [config]);
    expect(first.warnings[0]?.message).toMatch(/^what was edited since version 1 stays, /);
  });

  test('is none where the latest version has it', async () => {
    const registry = registryOf();
    expect((await examine(web, [config], registry)).first.warnings).toEqual([]);
    expect(registry.asked).toEqual([]);
  });
});

describe('what pods need', () => {
  const needing = (spec: object): Objects => {
    const first = specOf('web', {});
    const pod = { containers: [{ name: 'main', image: image('web') }], ...spec };
    return history('web', { ...first, template: { ...first.template, spec: pod } }, first);
  };
  const volumes = [
    { name: 'a', configMap: { name: 'settings', items: [{ key: 'port', path: 'port' }] } },
    { name: 'b', secret: { secretName: 'certificates' } },
  ];

  test('and what is gone', async () => {
    const { first } = await examine(needing({ volumes }), [member('web')]);
    expect(first.warnings.map(({ object, message }) => `${object}: ${message}`)).toEqual([
      'ConfigMap/settings: it is gone, and spec.template.spec.volumes[a] needs it',
      'Secret/certificates: it is gone, and spec.template.spec.volumes[b] needs it',
    ]);
  });

  test('of what is there only the keys are asked for, and only where one is named', async () => {
    const settings = { metadata: { name: 'settings' }, data: { host: 'x' } };
    const certificates = { metadata: { name: 'certificates' }, data: { key: 'c2VjcmV0' } };
    const objects = join(needing({ volumes }), {
      ConfigMap: [settings],
      Secret: [certificates],
    });
    const { first, asked } = await examine(objects, [member('web')]);
    expect(first.warnings.map(({ message }) => message)).toEqual([
      'it has no key "port", and spec.template.spec.volumes[a] needs it',
    ]);
    expect(asked).toContain('get ConfigMap/settings');
    expect(asked.filter((question) => question.includes('Secret'))).toEqual([
      'metadata Secret/certificates',
    ]);
  });

  test('binary keys count as well', async () => {
    const settings = { metadata: { name: 'settings' }, binaryData: { port: 'eA==' } };
    const objects = join(needing({ volumes: [volumes[0]] }), { ConfigMap: [settings] });
    expect((await examine(objects, [member('web')])).first.warnings).toEqual([]);
  });

  test('what may not be read is said to be unknown', async () => {
    const forbidden = new ApiError(403, 'Forbidden', 'no');
    const errors = { ConfigMap: forbidden, Service: forbidden };
    const objects = needing({ volumes: [volumes[0]] });
    const { first } = await examine(objects, [member('web')], registryOf(), errors);
    expect(first.warnings).toEqual([
      {
        kind: 'NotChecked',
        object: 'ConfigMap/settings',
        message: 'whether it is there is not known: the worker may not read it',
      },
      {
        kind: 'NotChecked',
        object: 'Services of v1',
        message: 'they are not taken into account: the worker may not list them',
      },
    ]);
  });

  test('a cluster that fails is no answer', async () => {
    const broken = { Service: new ApiError(500, 'InternalError', 'oh') };
    await expect(examine(web, [member('web')], registryOf(), broken)).rejects.toThrow('oh');
  });

  test('a kind that is not installed has no objects', async () => {
    const errors = { ImageRepository: new ApiError(404, 'NotFound', 'no such kind') };
    const { first } = await examine(web, [member('web')], registryOf(), errors);
    expect(first.warnings).toEqual([]);
  });
});

describe('images', () => {
  test('one that is gone is a problem that names it and its registry', async () => {
    const { first } = await examine(web, [member('web')], registryOf({ kind: 'missing' }));
    expect(first.problems).toEqual([
      {
        field: 'spec.template.spec.containers[main].image',
        message: `the image ${image('web')} is no longer in its registry, registry.example.com`,
      },
    ]);
  });

  test('one that nobody can be asked about is a warning', async () => {
    const away: RegistryAnswer = { kind: 'unreachable', problem: 'it is away' };
    const { first } = await examine(web, [member('web')], registryOf(away));
    expect(first.problems).toEqual([]);
    expect(first.warnings).toEqual([
      {
        kind: 'NotChecked',
        object: `Image/${image('web')}`,
        message: 'whether it is still there is not known: it is away',
      },
    ]);
  });

  test('with the configuration alone that of a custom strategy counts, and no other', async () => {
    const strategy = {
      type: 'Custom' as const,
      customParams: { image: 'registry.example.com/deployer:1' },
    };
    const objects = history('web', specOf('web', {}, { strategy }), specOf('web', {}));
    const asked = async (wish: Partial<RollbackWish>): Promise<string[]> => {
      const registry = registryOf();
      await examine(objects, [member('web', wish)], registry);
      return registry.asked.map(({ reference }) => reference);
    };
    expect(await asked({ application: false })).toEqual(['registry.example.com/deployer 1']);
    expect(await asked({ config: false })).toEqual([`registry.example.com/web ${digest}`]);
    expect(await asked({})).toHaveLength(2);
  });

  test('are asked for with the pull secrets of the template, of its account and of ImageRepositories', async () => {
    const secretOf = (name: string): KubernetesObject & object => {
      const auths = { 'registry.example.com': { username: name, password: 'secret' } };
      return {
        metadata: { name },
        type: 'kubernetes.io/dockerconfigjson',
        data: { '.dockerconfigjson': Buffer.from(JSON.stringify({ auths })).toString('base64') },
      } as KubernetesObject;
    };
    const first = specOf('web', {});
    const pod = { ...first.template.spec!, imagePullSecrets: [{ name: 'pods' }] };
    const objects = join(
      history('web', { ...first, template: { ...first.template, spec: pod } }, first),
      {
        Secret: ['pods', 'account', 'repository', 'other'].map(secretOf),
        ServiceAccount: [
          {
            metadata: { name: 'default' },
            imagePullSecrets: [{ name: 'account' }],
          } as KubernetesObject,
        ],
        ImageRepository: [
          {
            metadata: { name: 'web' },
            spec: {
              repository: 'registry.example.com/web',
              insecure: true,
              pullSecrets: [{ name: 'repository' }],
            },
          } as KubernetesObject,
          {
            metadata: { name: 'other' },
            spec: { repository: 'registry.example.com/other', pullSecrets: [{ name: 'other' }] },
          } as KubernetesObject,
        ],
      },
    );
    const registry = registryOf();
    const { configs } = await examine(objects, [member('web')], registry);
    const [question] = registry.asked;
    expect(question?.access?.insecure).toBe(true);
    expect(question?.access?.credentials?.map((one) => 'username' in one && one.username)).toEqual([
      'pods',
      'account',
      'repository',
    ]);
    expect(JSON.stringify(configs)).not.toContain('secret');
  });
});
