import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { connectCluster } from '../../src/kubernetes/connect.js';
import type { DeploymentConfig } from '../../src/kubernetes/deployment-configs/objects.js';
import type { KubernetesObject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { packageRoot, readObjects } from '../support/deploy-files.js';
import { refusalOf } from '../support/refusal-of.js';

const { client } = connectCluster({ kubeconfig: process.env['SLIPWAY_E2E_KUBECONFIG'] });
const namespace = `deployment-config-schema-${randomBytes(3).toString('hex')}`;

beforeAll(async () => {
  await client.create(resources.namespaces, { metadata: { name: namespace } });
});

afterAll(async () => {
  await client.delete(resources.namespaces, undefined, namespace);
  await client.close();
});

type Fields = Record<string, unknown>;
type Config = KubernetesObject & { spec: Fields };

const dryRun = { dryRun: true, strict: true };
const container = { name: 'web', image: 'registry.example.com/shop/web:1' };
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } };

const config = (name: string, spec: Fields): Config => ({
  apiVersion: resources.deploymentConfigs.apiVersion,
  kind: resources.deploymentConfigs.kind,
  metadata: { name, namespace },
  spec,
});
const create = (spec: Fields): Promise<Config> =>
  client.create(resources.deploymentConfigs, config('web', { template, ...spec }), dryRun);

const folder = 'test/support/openshift-manifests';
const manifests = readdirSync(join(packageRoot, folder)).flatMap((file) =>
  readObjects(`${folder}/${file}`).map(
    (object) => [file, object.metadata.name, object as DeploymentConfig] as const,
  ),
);

describe('a manifest in the shape of those for OpenShift', () => {
  test('is there for each kind of application', () => {
    expect(manifests.length).toBeGreaterThan(12);
  });

  test.each(manifests)('(%s, %s) is accepted unchanged', async (_file, _name, manifest) => {
    const object = { ...manifest, metadata: { ...manifest.metadata, namespace } };
    const created = await client.create(resources.deploymentConfigs, object, dryRun);
    expect(created.spec).toMatchObject(withoutNulls(manifest.spec) as object);
    const applied = await client.apply(resources.deploymentConfigs, object, dryRun);
    expect(applied.spec).toMatchObject(withoutNulls(manifest.spec) as object);
  });
});

/** Kubernetes takes null as a field that is not there. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(given.map(([key, field]) => [key, withoutNulls(field)]));
}

describe('a DeploymentConfig', () => {
  test("gets OpenShift's defaults, and none for triggers or parameters that are left out", async () => {
    const { spec } = await create({});
    expect(spec).toEqual({
      template,
      replicas: 1,
      minReadySeconds: 0,
      revisionHistoryLimit: 10,
      strategy: { type: 'Rolling', activeDeadlineSeconds: 21_600 },
    });
  });

  test('keeps an empty list of triggers, which means none at all', async () => {
    expect((await create({ triggers: [] })).spec['triggers']).toEqual([]);
  });

  test('gets defaults in parameters that are given', async () => {
    const strategy = { rollingParams: { maxSurge: 1 }, recreateParams: {} };
    expect((await create({ strategy })).spec['strategy']).toEqual({
      type: 'Rolling',
      activeDeadlineSeconds: 21_600,
      rollingParams: {
        intervalSeconds: 1,
        timeoutSeconds: 600,
        maxSurge: 1,
      },
      recreateParams: { timeoutSeconds: 600 },
    });
  });

  test('is known to kubectl by the names that oc has for it', async () => {
    const { resources: served } = await client.transport.json<{
      resources: { name: string; shortNames?: string[]; categories?: string[] }[];
    }>({ method: 'GET', path: '/apis/apps.openshift.io/v1' });
    expect(served.find(({ name }) => name === 'deploymentconfigs')).toMatchObject({
      shortNames: ['dc'],
      categories: ['all', 'slipway'],
    });
    expect(served.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['deploymentconfigs/status', 'deploymentconfigs/scale']),
    );
  });
});

const exec = (over: Fields = {}): Fields => ({ command: ['true'], containerName: 'web', ...over });
const hook = (over: Fields = {}): Fields => ({
  failurePolicy: 'Abort',
  execNewPod: exec(),
  ...over,
});
const strategy = (over: Fields): Fields => ({ strategy: over });
const rolling = (rollingParams: Fields): Fields => strategy({ type: 'Rolling', rollingParams });
const recreate = (recreateParams: Fields): Fields => strategy({ type: 'Recreate', recreateParams });
const canary = (canaryParams: Fields): Fields => strategy({ type: 'Canary', canaryParams });
const step = (over: Fields): Fields => canary({ steps: [over] });
const metric = (over: Fields): Fields =>
  step({
    percent: 10,
    metrics: [{ name: 'errors', url: 'http://prometheus:9090', query: 'up', max: 1, ...over }],
  });
const from = { kind: 'ImageStreamTag', name: 'web:latest' };
const imageChange = (over: Fields): Fields => ({
  triggers: [
    {
      type: 'ImageChange',
      imageChangeParams: { automatic: true, containerNames: ['web'], from, ...over },
    },
  ],
});
const withContainers = (...containers: Fields[]): Fields => ({
  template: { ...template, spec: { containers } },
});
const inTrigger = (field: string): string => `spec.triggers[0].imageChangeParams${field}`;
const inStep = (field: string): string => `spec.strategy.canaryParams.steps[0]${field}`;

const noContainer = 'must name a container of spec.template';
const noTag = 'must be NAME:TAG, for example web:latest';
const atLeast1 = 'should be greater than or equal to 1';

type Row = [title: string, spec: Fields, field: string, sentence: string];

const badSpecs: Row[] = [
  ['negative replicas', { replicas: -1 }, 'spec.replicas', 'or equal to 0'],
  ['replicas in words', { replicas: 'two' }, 'spec.replicas', 'must be of type integer'],
  ['a negative history', { revisionHistoryLimit: -1 }, 'spec.revisionHistoryLimit', 'equal to 0'],
  ['negative minReadySeconds', { minReadySeconds: -1 }, 'spec.minReadySeconds', 'or equal to 0'],
  [
    'minReadySeconds as long as the default timeout',
    { minReadySeconds: 600 },
    'spec.minReadySeconds',
    'must be less than timeoutSeconds of the strategy, which is 600 when left out',
  ],
  [
    'minReadySeconds as long as the timeout',
    { minReadySeconds: 30, ...recreate({ timeoutSeconds: 30 }) },
    'spec.minReadySeconds',
    'must be less than timeoutSeconds of the strategy',
  ],
  [
    'minReadySeconds as long as the timeout of Canary',
    { minReadySeconds: 30, ...canary({ steps: [{ count: 1 }], timeoutSeconds: 30 }) },
    'spec.minReadySeconds',
    'must be less than timeoutSeconds of the strategy',
  ],
  [
    'minReadySeconds as long as a hook may run',
    { minReadySeconds: 30, ...strategy({ activeDeadlineSeconds: 30 }) },
    'spec.minReadySeconds',
    'must be less than spec.strategy.activeDeadlineSeconds',
  ],
  ['paused in words', { paused: 'perhaps' }, 'spec.paused', 'must be of type boolean'],
  ['no template', { template: undefined }, 'spec.template', 'Required value'],
  [
    'no labels',
    { template: { ...template, metadata: {} } },
    'spec.template.metadata.labels',
    'Required value',
  ],
  [
    'a selector of others',
    { selector: { app: 'shop' } },
    'spec.template.metadata.labels',
    'must match spec.selector',
  ],
  [
    'a selector with more',
    { selector: { app: 'web', tier: 'front' } },
    'spec.template.metadata.labels',
    'must match spec.selector',
  ],
  [
    'a selector that is no label',
    { selector: { app: 'a b' } },
    'spec.selector[app]',
    'must be letters, digits',
  ],
  [
    'another restart policy',
    { template: { ...template, spec: { containers: [container], restartPolicy: 'Never' } } },
    'spec.template.spec.restartPolicy',
    'Unsupported value',
  ],
  ['no container', withContainers(), 'spec.template.spec.containers', 'at least 1 items'],
  [
    'no image, and no trigger',
    withContainers({ name: 'web', image: '' }),
    'spec.template.spec.containers',
    'each must have an image, or be named by a trigger of type ImageChange in spec.triggers',
  ],
  [
    'no image, and a trigger for another container',
    {
      ...withContainers({ name: 'web' }, { ...container, name: 'log' }),
      ...imageChange({ containerNames: ['log'] }),
    },
    'spec.template.spec.containers',
    'each must have an image',
  ],
  [
    'no image of an init container',
    { template: { ...template, spec: { ...template.spec, initContainers: [{ name: 'first' }] } } },
    'spec.template.spec.initContainers',
    'each must have an image',
  ],
];

const badTriggers: Row[] = [
  ['no type of trigger', { triggers: [{}] }, 'spec.triggers[0].type', 'Required value'],
  [
    'an unknown trigger',
    { triggers: [{ type: 'NewMoon' }] },
    'spec.triggers[0].type',
    'Unsupported value',
  ],
  [
    'an image trigger without parameters',
    { triggers: [{ type: 'ImageChange' }] },
    'spec.triggers[0].imageChangeParams',
    'must be given with type ImageChange',
  ],
  [
    'a trigger for no container',
    imageChange({ containerNames: [] }),
    inTrigger('.containerNames'),
    'at least 1 items',
  ],
  [
    'a trigger that names no containers',
    imageChange({ containerNames: undefined }),
    inTrigger('.containerNames'),
    'Required value',
  ],
  [
    'a trigger from nothing',
    imageChange({ from: undefined }),
    inTrigger('.from'),
    'must be given, or repositoryName in its place, and not both',
  ],
  [
    'a trigger from two places',
    imageChange({ repositoryName: 'registry.example.com/shop/web' }),
    inTrigger('.from'),
    'must be given, or repositoryName in its place, and not both',
  ],
  [
    'a stream without a tag',
    imageChange({ from: { name: 'web' } }),
    inTrigger('.from.name'),
    noTag,
  ],
  [
    'a stream with two tags',
    imageChange({ from: { name: 'web:1:2' } }),
    inTrigger('.from.name'),
    noTag,
  ],
  ['a tag of no stream', imageChange({ from: { name: ':1' } }), inTrigger('.from.name'), noTag],
  [
    'a trigger from another kind',
    imageChange({ from: { kind: 'ConfigMap', name: 'web:1' } }),
    inTrigger('.from.kind'),
    'Unsupported value',
  ],
  [
    'a trigger from no possible namespace',
    imageChange({ from: { ...from, namespace: 'Shop!' } }),
    inTrigger('.from.namespace'),
    'should match',
  ],
  [
    'a tag beside from',
    imageChange({ tag: 'latest' }),
    inTrigger('.tag'),
    'must be left out without repositoryName; from.name has the tag in it',
  ],
  [
    'a tag that is none',
    imageChange({ from: undefined, repositoryName: 'registry.example.com/web', tag: 'a b' }),
    inTrigger('.tag'),
    'must be up to 128 letters',
  ],
];

const badStrategies: Row[] = [
  [
    'an unknown strategy',
    strategy({ type: 'BlueGreen' }),
    'spec.strategy.type',
    'Unsupported value',
  ],
  [
    'Custom without parameters',
    strategy({ type: 'Custom' }),
    'spec.strategy.customParams',
    'must be given with type Custom',
  ],
  [
    'Custom without an image',
    strategy({ type: 'Custom', customParams: { command: ['go'] } }),
    'spec.strategy.customParams.image',
    'must be given with type Custom',
  ],
  [
    'an environment variable without a name',
    strategy({ type: 'Custom', customParams: { image: 'x', environment: [{ name: '' }] } }),
    'spec.strategy.customParams.environment[0].name',
    'at least 1 chars',
  ],
  [
    'Canary without parameters',
    strategy({ type: 'Canary' }),
    'spec.strategy.canaryParams',
    'must be given with type Canary',
  ],
  [
    'no room to move',
    rolling({ maxSurge: '0%', maxUnavailable: 0 }),
    'spec.strategy.rollingParams.maxUnavailable',
    'must not be 0 when maxSurge is 0, since no pod could ever be replaced',
  ],
  [
    'a surge in words',
    rolling({ maxSurge: 'some' }),
    'spec.strategy.rollingParams.maxSurge',
    'must be a number of pods, 0 or more, or a percentage such as "25%"',
  ],
  [
    'more than all unavailable',
    rolling({ maxUnavailable: '101%' }),
    'spec.strategy.rollingParams.maxUnavailable',
    'must not be more than 100%',
  ],
  ...['timeoutSeconds', 'intervalSeconds', 'updatePeriodSeconds'].map((field): Row => [
    `${field} of 0`,
    rolling({ [field]: 0 }),
    `spec.strategy.rollingParams.${field}`,
    atLeast1,
  ]),
  [
    'a timeout of Recreate of 0',
    recreate({ timeoutSeconds: 0 }),
    'spec.strategy.recreateParams.timeoutSeconds',
    atLeast1,
  ],
  [
    'a negative deadline',
    strategy({ activeDeadlineSeconds: -1 }),
    'spec.strategy.activeDeadlineSeconds',
    'or equal to 0',
  ],
  [
    'a deadline not after the timeout',
    strategy({ rollingParams: { timeoutSeconds: 60 }, activeDeadlineSeconds: 60 }),
    'spec.strategy.activeDeadlineSeconds',
    'must be greater than timeoutSeconds of rollingParams or recreateParams',
  ],
  [
    'a timeout after the default deadline',
    recreate({ timeoutSeconds: 30_000 }),
    'spec.strategy.activeDeadlineSeconds',
    'must be greater than timeoutSeconds',
  ],
  [
    'a label that is none',
    strategy({ labels: { team: 'a b' } }),
    'spec.strategy.labels[team]',
    'must be letters, digits',
  ],
  [
    'a quantity in words',
    strategy({ resources: { limits: { cpu: 'lots' } } }),
    'spec.strategy.resources.limits.cpu',
    'should match',
  ],
];

const inPre = (field: string): string => `spec.strategy.rollingParams.pre${field}`;
const two = withContainers(container, { ...container, name: 'log' });

const badHooks: Row[] = [
  [
    'a hook without a policy',
    rolling({ pre: hook({ failurePolicy: undefined }) }),
    inPre('.failurePolicy'),
    'Required value',
  ],
  [
    'a hook with an unknown policy',
    rolling({ pre: hook({ failurePolicy: 'Shrug' }) }),
    inPre('.failurePolicy'),
    'Unsupported value',
  ],
  [
    'a hook that does nothing',
    rolling({ pre: { failurePolicy: 'Abort', tagImages: [] } }),
    inPre(''),
    'must have either execNewPod or tagImages',
  ],
  [
    'a hook that does two things',
    rolling({ pre: hook({ tagImages: [{ containerName: 'web', to: from }] }) }),
    inPre(''),
    'must have either execNewPod or tagImages',
  ],
  [
    'a hook without a command',
    rolling({ pre: hook({ execNewPod: exec({ command: [] }) }) }),
    inPre('.execNewPod.command'),
    'at least 1 items',
  ],
  [
    'a hook with a volume that has no name',
    rolling({ pre: hook({ execNewPod: exec({ volumes: [''] }) }) }),
    inPre('.execNewPod.volumes[0]'),
    'at least 1 chars',
  ],
  [
    'a tag without an image stream',
    rolling({ pre: { failurePolicy: 'Abort', tagImages: [{ to: { ...from, kind: 'Pod' } }] } }),
    inPre('.tagImages[0].to.kind'),
    'Unsupported value',
  ],
  [
    'a tag that is none',
    rolling({ pre: { failurePolicy: 'Abort', tagImages: [{ to: { ...from, name: 'web' } }] } }),
    inPre('.tagImages[0].to.name'),
    noTag,
  ],
  [
    'a tag for a container that is not there',
    rolling({ pre: { failurePolicy: 'Abort', tagImages: [{ containerName: 'db', to: from }] } }),
    inPre('.tagImages'),
    noContainer,
  ],
  ...(
    [
      ['rollingParams', 'pre'],
      ['rollingParams', 'post'],
      ['recreateParams', 'pre'],
      ['recreateParams', 'mid'],
      ['recreateParams', 'post'],
      ['lifecycle', 'pre'],
      ['lifecycle', 'post'],
      ['lifecycle', 'abort'],
    ] as const
  ).flatMap(([params, moment]): Row[] => {
    const field = `spec.strategy.${params}.${moment}.execNewPod.containerName`;
    const named = (containerName: string | undefined): Fields =>
      strategy({
        [params]: {
          [moment]: hook({ failurePolicy: 'Retry', execNewPod: exec({ containerName }) }),
        },
      });
    return [
      [`${params}.${moment} of a container that is not there`, named('db'), field, noContainer],
      [
        `${params}.${moment} of one of two containers`,
        { ...two, ...named(undefined) },
        field,
        noContainer,
      ],
    ];
  }),
  [
    'Abort after the deployment',
    strategy({ lifecycle: { post: hook() } }),
    'spec.strategy.lifecycle.post.failurePolicy',
    'must not be Abort: the new pods are in place already',
  ],
  [
    'Abort of what has failed',
    strategy({ lifecycle: { abort: hook() } }),
    'spec.strategy.lifecycle.abort.failurePolicy',
    'must not be Abort: the deployment has failed already',
  ],
  [
    'two hooks for one moment',
    strategy({ lifecycle: { pre: hook() }, rollingParams: { pre: hook() } }),
    'spec.strategy.lifecycle.pre',
    'must be left out where rollingParams.pre or recreateParams.pre is given',
  ],
];

const badCanaries: Row[] = [
  [
    'no step',
    canary({ steps: [] }),
    'spec.strategy.canaryParams.steps',
    'must have a step, unless spec.strategy.canaryParams.ab is given',
  ],
  ['a step of nothing', step({}), inStep('.percent'), 'or count in its place, and not both'],
  [
    'a step of two sizes',
    step({ percent: 10, count: 1 }),
    inStep('.percent'),
    'or count in its place, and not both',
  ],
  ['a step of 0 percent', step({ percent: 0 }), inStep('.percent'), atLeast1],
  [
    'a step of 101 percent',
    step({ percent: 101 }),
    inStep('.percent'),
    'less than or equal to 100',
  ],
  ['a step of no pod', step({ count: 0 }), inStep('.count'), atLeast1],
  [
    'percents that fall',
    canary({ steps: [{ percent: 20 }, { count: 9 }, { percent: 10 }] }),
    'spec.strategy.canaryParams.steps',
    'must not fall: the percent of a step',
  ],
  [
    'counts that fall',
    canary({ steps: [{ count: 2 }, { count: 1 }] }),
    'spec.strategy.canaryParams.steps',
    'must not fall: the count of a step',
  ],
  [
    'a pause of no time',
    step({ percent: 10, pause: { seconds: 0 } }),
    inStep('.pause.seconds'),
    atLeast1,
  ],
  [
    'a pause without a time',
    step({ percent: 10, pause: {} }),
    inStep('.pause.seconds'),
    'Required',
  ],
  [
    'a step that waits for two things',
    step({ percent: 10, pause: { seconds: 5 }, approve: true }),
    inStep('.approve'),
    'must be left out with pause',
  ],
  [
    'a metric without a query',
    metric({ query: '' }),
    inStep('.metrics[0].query'),
    'at least 1 chars',
  ],
  [
    'a metric from nowhere',
    metric({ url: 'prometheus' }),
    inStep('.metrics[0].url'),
    'should match',
  ],
  [
    'a metric without bounds',
    metric({ max: undefined }),
    inStep('.metrics[0].min'),
    'must be given, or max, or both',
  ],
  [
    'bounds that nothing meets',
    metric({ min: 2.5, max: 2 }),
    inStep('.metrics[0].max'),
    'must not be less than min',
  ],
  ['a metric asked for never', metric({ count: 0 }), inStep('.metrics[0].count'), atLeast1],
  [
    'all and none',
    canary({ ab: { share: 100 } }),
    'spec.strategy.canaryParams.ab.share',
    'less than or equal to 99',
  ],
  [
    'a timeout of Canary of 0',
    canary({ steps: [{ percent: 10 }], timeoutSeconds: 0 }),
    'spec.strategy.canaryParams.timeoutSeconds',
    atLeast1,
  ],
];

describe('a DeploymentConfig is refused', () => {
  test.each([...badSpecs, ...badTriggers, ...badStrategies, ...badHooks, ...badCanaries])(
    'with %s',
    async (_title, spec, field, sentence) => {
      const refusal = await refusalOf(create(spec));
      expect(refusal.code).toBe(422);
      expect(refusal.causes).toContainEqual({
        reason: expect.any(String),
        field,
        message: expect.stringContaining(sentence),
      });
    },
  );

  test.each<[string, Fields, string]>([
    ['a misspelt field', { replcas: 1 }, 'spec.replcas'],
    [
      'a hook in the middle of a rolling update',
      rolling({ mid: hook() }),
      'spec.strategy.rollingParams.mid',
    ],
    [
      'capabilities that would be lost',
      withContainers({ ...container, capabilities: { add: ['NET_ADMIN'] } }),
      'spec.template.spec.containers[0].capabilities.add',
    ],
  ])('with %s, which is named', async (_title, spec, field) => {
    const refusal = await refusalOf(create(spec));
    expect(refusal.message).toContain(`unknown field "${field}"`);
  });
});

describe('a DeploymentConfig is accepted', () => {
  test.each<[string, Fields]>([
    ['with an empty selector', { selector: {} }],
    [
      'with an empty image that a trigger fills in',
      { ...withContainers({ name: 'web', image: '' }), ...imageChange({}) },
    ],
    [
      'with no image that a trigger fills in',
      { ...withContainers({ name: 'web' }), ...imageChange({}) },
    ],
    ['with a blank image', withContainers({ name: 'web', image: ' ' })],
    ['with a tag of the kind that is left out', imageChange({ from: { name: 'web:latest' } })],
    [
      'with a trigger of the older form',
      imageChange({ from: undefined, repositoryName: 'registry.example.com/web' }),
    ],
    [
      'with a hook of the only container',
      rolling({ pre: hook({ execNewPod: { command: ['true'] } }) }),
    ],
    [
      'with a hook of an init container',
      {
        template: {
          ...template,
          spec: { ...template.spec, initContainers: [{ ...container, name: 'first' }] },
        },
        ...rolling({ pre: hook({ execNewPod: exec({ containerName: 'first' }) }) }),
      },
    ],
    [
      'with steps of both units',
      canary({ steps: [{ count: 3 }, { percent: 10 }, { count: 3 }, { percent: 10 }] }),
    ],
    [
      'with parameters of Canary and another type',
      strategy({ canaryParams: { steps: [{ count: 1 }] } }),
    ],
    ['with no approval', step({ percent: 10, pause: { seconds: 5 }, approve: false })],
  ])('%s', async (_title, spec) => {
    await expect(create(spec)).resolves.toBeDefined();
  });
});

describe('a DeploymentConfig that is there', () => {
  const name = 'there';
  beforeAll(async () => {
    const spec = { replicas: 0, paused: true, triggers: [], template };
    await client.create(resources.deploymentConfigs, config(name, spec));
  });
  type Status = KubernetesObject & { status?: Fields; spec: Fields };
  const patch = (body: Fields, subresource?: string): Promise<Status> =>
    client.patch<Status>(resources.deploymentConfigs, namespace, name, 'merge', body, {
      ...dryRun,
      ...(subresource === undefined ? {} : { subresource }),
    });

  test('can be scaled by autoscalers', async () => {
    const scale = await patch({ spec: { replicas: 3 } }, 'scale');
    expect(scale.spec['replicas']).toBe(3);
  });

  test('can get another selector and another strategy', async () => {
    const labels = { app: 'web', tier: 'front' };
    const changed = await patch({
      spec: {
        selector: { tier: 'front' },
        template: { ...template, metadata: { labels } },
        strategy: { type: 'Recreate' },
      },
    });
    expect(changed.spec['selector']).toEqual({ tier: 'front' });
  });

  test('keeps its status to the status subresource', async () => {
    const changed = await patch({ status: { latestVersion: 7 } });
    expect(changed.status?.['latestVersion']).not.toBe(7);
  });

  test('takes a whole status', async () => {
    const now = '2026-01-02T03:04:05Z';
    const status = {
      latestVersion: 9_007_199_254_740_991,
      observedGeneration: 1,
      replicas: 2,
      updatedReplicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
      unavailableReplicas: 1,
      selector: 'app=web',
      triggeredBy: 'config,image(web:latest)',
      details: {
        message: 'image change',
        causes: [
          {
            type: 'ImageChange',
            by: 'ann',
            imageTrigger: {
              from,
              containerNames: ['web'],
              previous: 'registry.example.com/shop/web@sha256:1',
              image: 'registry.example.com/shop/web@sha256:2',
            },
          },
        ],
      },
      conditions: [
        {
          type: 'Progressing',
          status: 'True',
          lastUpdateTime: now,
          lastTransitionTime: now,
          reason: 'ReplicationControllerUpdated',
          message: 'one of two pods is new',
        },
      ],
    };
    expect((await patch({ status }, 'status')).status).toEqual(status);
  });

  test('never goes back to an earlier version', async () => {
    await client.patch(
      resources.deploymentConfigs,
      namespace,
      name,
      'merge',
      { status: { latestVersion: 3 } },
      { subresource: 'status' },
    );
    await expect(patch({ status: { latestVersion: 4 } }, 'status')).resolves.toBeDefined();
    const refusal = await refusalOf(patch({ status: { latestVersion: 2 } }, 'status'));
    expect(refusal.causes).toContainEqual({
      reason: 'FieldValueInvalid',
      field: 'status.latestVersion',
      message: expect.stringContaining('must not become less'),
    });
  });

  test('is shown with the columns of oc get dc', async () => {
    const table = await client.transport.json<{ columnDefinitions: { name: string }[] }>({
      method: 'GET',
      path: `/apis/apps.openshift.io/v1/namespaces/${namespace}/deploymentconfigs`,
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });
    const names = table.columnDefinitions.map((column) => column.name);
    expect(names.slice(0, 5)).toEqual(['Name', 'Revision', 'Desired', 'Current', 'Triggered By']);
  });
});
