import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { connectCluster } from '../../src/kubernetes/connect.js';
import type { KubernetesObject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { refusalOf } from '../support/refusal-of.js';

const { client } = connectCluster({ kubeconfig: process.env['SLIPWAY_E2E_KUBECONFIG'] });
const namespace = `deployment-crd-${randomBytes(3).toString('hex')}`;

beforeAll(async () => {
  await client.create(resources.namespaces, { metadata: { name: namespace } });
});

afterAll(async () => {
  await client.delete(resources.namespaces, undefined, namespace);
  await client.close();
});

type Spec = Record<string, unknown>;

const container = { name: 'web', image: 'registry.example.com/web:1' };
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } };

const deployment = (name: string, spec: Spec): KubernetesObject & { spec: Spec } => ({
  apiVersion: resources.slipwayDeployments.apiVersion,
  kind: resources.slipwayDeployments.kind,
  metadata: { name, namespace },
  spec,
});

const rollingUpdate = (margins: Spec): Spec => ({ strategy: { rollingUpdate: margins } });
const withPod = (pod: Spec): Spec => ({
  template: { ...template, spec: { ...template.spec, ...pod } },
});
const withSelector = (requirement: Spec): Spec => ({
  selector: { matchExpressions: [{ key: 'app', ...requirement }] },
});

const noMatch = 'must match spec.selector, which would not find the pods of this template';
const noNumber = 'must be a number of pods, 0 or more, or a percentage such as "25%"';

describe('a Deployment of slipway.dev', () => {
  const dryRun = { dryRun: true, strict: true };
  const create = (spec: Spec): Promise<unknown> =>
    client.create(resources.slipwayDeployments, deployment('web', spec), dryRun);

  test.each<[string, Spec, string, string]>([
    ['negative replicas', { replicas: -1 }, 'spec.replicas', 'greater than or equal to 0'],
    ['replicas in words', { replicas: 'two' }, 'spec.replicas', 'must be of type integer'],
    ['negative minReadySeconds', { minReadySeconds: -1 }, 'spec.minReadySeconds', 'or equal to 0'],
    [
      'a negative history',
      { revisionHistoryLimit: -1 },
      'spec.revisionHistoryLimit',
      'or equal to 0',
    ],
    [
      'a deadline not after minReadySeconds',
      { minReadySeconds: 30, progressDeadlineSeconds: 30 },
      'spec.progressDeadlineSeconds',
      'must be greater than spec.minReadySeconds',
    ],
    [
      'rollingUpdate with Recreate',
      { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } },
      'spec.strategy.rollingUpdate',
      'must be left out when spec.strategy.type is Recreate',
    ],
    [
      'a negative revision to go back to',
      { rollbackTo: { revision: -1 } },
      'spec.rollbackTo.revision',
      'or equal to 0',
    ],
    [
      'rollbackOnFailure in words',
      { rollbackOnFailure: 'perhaps' },
      'spec.rollbackOnFailure',
      'must be of type boolean',
    ],
    ['an unknown trigger', { triggers: ['NewMoon'] }, 'spec.triggers[0]', 'Unsupported value'],
    ['a trigger twice', { triggers: ['Manual', 'Manual'] }, 'spec.triggers[1]', 'Duplicate value'],
    [
      'an unknown strategy',
      { strategy: { type: 'Canary' } },
      'spec.strategy.type',
      'Unsupported value',
    ],
    [
      'a negative surge',
      rollingUpdate({ maxSurge: -1 }),
      'spec.strategy.rollingUpdate.maxSurge',
      noNumber,
    ],
    [
      'a surge in words',
      rollingUpdate({ maxSurge: 'some' }),
      'spec.strategy.rollingUpdate.maxSurge',
      noNumber,
    ],
    [
      'a number as text',
      rollingUpdate({ maxUnavailable: '2' }),
      'spec.strategy.rollingUpdate.maxUnavailable',
      noNumber,
    ],
    [
      'more than all unavailable',
      rollingUpdate({ maxUnavailable: '101%' }),
      'spec.strategy.rollingUpdate.maxUnavailable',
      'must not be more than 100%',
    ],
    [
      'no room to move',
      rollingUpdate({ maxSurge: '0%', maxUnavailable: 0 }),
      'spec.strategy.rollingUpdate.maxUnavailable',
      'must not be 0 when maxSurge is 0, since no pod could ever be replaced',
    ],
    [
      'another restart policy',
      withPod({ restartPolicy: 'Never' }),
      'spec.template.spec.restartPolicy',
      'Unsupported value',
    ],
    [
      'no container',
      withPod({ containers: [] }),
      'spec.template.spec.containers',
      'at least 1 items',
    ],
    [
      'one name for two',
      withPod({ containers: [container, container] }),
      'spec.template.spec.containers[1]',
      'Duplicate value',
    ],
    [
      'a quantity in words',
      withPod({ containers: [{ ...container, resources: { limits: { cpu: 'lots' } } }] }),
      'spec.template.spec.containers[0].resources.limits.cpu',
      'should match',
    ],
    ['no template', { template: undefined }, 'spec.template', 'Required value'],
    [
      'no labels',
      { template: { ...template, metadata: {} } },
      'spec.template.metadata.labels',
      'Required value',
    ],
    [
      'empty labels',
      { template: { ...template, metadata: { labels: {} } } },
      'spec.template.metadata.labels',
      'at least 1',
    ],
    [
      'a bad label',
      { template: { ...template, metadata: { labels: { app: 'a b' } } } },
      'spec.template.metadata.labels[app]',
      'must be letters, digits',
    ],
    [
      'a bad label name',
      { template: { ...template, metadata: { labels: { 'a b': 'x' } } } },
      'spec.template.metadata.labels',
      'each key must be a label name',
    ],
    ['an empty selector', { selector: {} }, 'spec.selector', 'must name a label'],
    [
      'a selector of others',
      { selector: { matchLabels: { app: 'shop' } } },
      'spec.template.metadata.labels',
      noMatch,
    ],
    [
      'a selector with more',
      { selector: { matchLabels: { app: 'web', tier: 'x' } } },
      'spec.template.metadata.labels',
      noMatch,
    ],
    [
      'In of others',
      withSelector({ operator: 'In', values: ['shop'] }),
      'spec.template.metadata.labels',
      noMatch,
    ],
    [
      'NotIn of its own',
      withSelector({ operator: 'NotIn', values: ['web'] }),
      'spec.template.metadata.labels',
      noMatch,
    ],
    [
      'DoesNotExist of its own',
      withSelector({ operator: 'DoesNotExist' }),
      'spec.template.metadata.labels',
      noMatch,
    ],
    [
      'In of nothing',
      withSelector({ operator: 'In' }),
      'spec.selector.matchExpressions[0].values',
      'must be given with In and NotIn',
    ],
  ])('is refused with %s', async (_title, spec, field, sentence) => {
    const refusal = await refusalOf(create({ template, ...spec }));
    expect(refusal.code).toBe(422);
    expect(refusal.causes).toContainEqual({
      reason: expect.any(String),
      field,
      message: expect.stringContaining(sentence),
    });
  });

  test('is refused with a misspelt field, which is named', async () => {
    const refusal = await refusalOf(create({ template, replcas: 1 }));
    expect(refusal.message).toContain('unknown field "spec.replcas"');
  });

  test.each<[string, Spec]>([
    ['without a selector', {}],
    ['with a selector by expressions', withSelector({ operator: 'In', values: ['web', 'shop'] })],
    [
      'with NotIn of a label it lacks',
      {
        selector: {
          matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['x'] }],
          matchLabels: { app: 'web' },
        },
      },
    ],
    ['with Recreate', { strategy: { type: 'Recreate' } }],
    ['with only one margin, 0', rollingUpdate({ maxUnavailable: 0 })],
    ['with a surge over 100%', rollingUpdate({ maxSurge: '200%', maxUnavailable: '100%' })],
    [
      'with a cpu of 0.5',
      withPod({
        containers: [
          {
            ...container,
            resources: { limits: { cpu: 0.5 }, requests: { cpu: 1, memory: '64Mi' } },
          },
        ],
      }),
    ],
    [
      'with what templates print for nothing',
      withPod({
        containers: [{ ...container, imagePullPolicy: '', resources: null, env: null }],
        tolerations: [{ operator: 'Exists', effect: '' }],
        nodeSelector: null,
      }),
    ],
    [
      'with what kubectl prints for nothing',
      {
        template: { ...template, metadata: { ...template.metadata, creationTimestamp: null } },
        strategy: {},
      },
    ],
  ])('is accepted %s', async (_title, spec) => {
    await expect(create({ template, ...spec })).resolves.toBeDefined();
    const applied = { ...deployment('applied', { template, ...spec }) };
    await expect(
      client.apply(resources.slipwayDeployments, applied, dryRun),
    ).resolves.toBeDefined();
  });

  test('gets the defaults of apps/v1, but none that would stand in the way of Recreate', async () => {
    const created = (await create({ template })) as { spec: Spec };
    expect(created.spec).toMatchObject({
      replicas: 1,
      minReadySeconds: 0,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      strategy: { type: 'RollingUpdate' },
    });
    expect(created.spec['strategy']).toEqual({ type: 'RollingUpdate' });
  });
});

describe('an update of a Deployment of slipway.dev', () => {
  const labels = { app: 'web', tier: 'front' };
  const labelled = (over: object): Spec => ({
    ...template,
    metadata: { labels: { ...labels, ...over } },
  });
  const name = 'immutable';
  beforeAll(async () => {
    await client.create(
      resources.slipwayDeployments,
      deployment(name, { replicas: 0, template: labelled({}) }),
    );
  });
  const update = (spec: Spec): Promise<unknown> =>
    client.patch(
      resources.slipwayDeployments,
      namespace,
      name,
      'merge',
      { spec },
      { dryRun: true },
    );

  test.each<[string, Spec]>([
    ['another selector', { selector: { matchLabels: { app: 'web' } } }],
    ['another label where the selector is left out', { template: labelled({ version: '2' }) }],
  ])('is refused with %s', async (_title, spec) => {
    const refusal = await refusalOf(update(spec));
    expect(refusal.causes).toContainEqual({
      reason: 'FieldValueInvalid',
      field: 'spec.selector',
      message: expect.stringContaining("can't be changed"),
    });
  });

  test.each<[string, Spec]>([
    ['the same selector written out', { selector: { matchLabels: labels } }],
    [
      'it, and one label more',
      { selector: { matchLabels: labels }, template: labelled({ version: '2' }) },
    ],
    ['another strategy', { strategy: { type: 'Recreate' } }],
  ])('is accepted with %s', async (_title, spec) => {
    await expect(update(spec)).resolves.toBeDefined();
  });

  test('can be made by the scale subresource, which autoscalers use', async () => {
    const scale = await client.patch<KubernetesObject & { spec: { replicas: number } }>(
      resources.slipwayDeployments,
      namespace,
      name,
      'merge',
      { spec: { replicas: 3 } },
      { dryRun: true, subresource: 'scale' },
    );
    expect(scale.spec.replicas).toBe(3);
  });

  test('leaves the status alone', async () => {
    const changed = await client.patch<KubernetesObject & { status?: { replicas?: number } }>(
      resources.slipwayDeployments,
      namespace,
      name,
      'merge',
      { status: { replicas: 7 } },
      { dryRun: true },
    );
    expect(changed.status?.replicas).not.toBe(7);
  });
});
