import { describe, expect, test } from '@jest/globals';

import { convertDeploymentConfig } from '../../../../src/client/manifests/openshift/convert-deployment-config.js';

const header = { apiVersion: 'apps.openshift.io/v1', kind: 'DeploymentConfig' };
const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] },
};

describe('with a spec', () => {
  const convert = (spec: object, apiVersion = 'v1') =>
    convertDeploymentConfig({
      apiVersion,
      kind: 'DeploymentConfig',
      metadata: { name: 'web' },
      spec,
    });

  test.each(['v1', 'v1beta3', 'apps.openshift.io/v1'])(
    'of %s only gets its group',
    (apiVersion) => {
      const spec = {
        replicas: 2,
        selector: { app: 'web' },
        strategy: { type: 'Rolling' },
        template,
      };
      expect(convert(spec, apiVersion)).toEqual({
        object: { ...header, metadata: { name: 'web' }, spec },
        mistakes: [],
      });
    },
  );

  test.each([
    ['ImageChange', 'ImageChange'],
    ['imageChange', 'ImageChange'],
    ['image-change', 'ImageChange'],
    ['ConfigChange', 'ConfigChange'],
    ['configChange', 'ConfigChange'],
    ['config-change', 'ConfigChange'],
  ])('a trigger of type %s', (type, word) => {
    expect(convert({ triggers: [{ type }] }).object).toMatchObject({
      spec: { triggers: [{ type: word }] },
    });
  });

  test.each([
    ['recreate', 'Recreate'],
    ['Recreate', 'Recreate'],
    ['rolling', 'Rolling'],
    ['custom', 'Custom'],
    ['customPod', 'Custom'],
    ['Canary', 'Canary'],
  ])('a strategy of type %s', (type, word) => {
    const strategy = { type, activeDeadlineSeconds: 60 };
    expect(convert({ strategy }).object).toMatchObject({
      spec: { strategy: { type: word, activeDeadlineSeconds: 60 } },
    });
  });

  test('a manual trigger is an empty list, and no list stays none', () => {
    expect(convert({ triggers: [{ type: 'Manual' }] }).object).toHaveProperty('spec.triggers', []);
    expect(convert({ triggers: null }).object).not.toHaveProperty('spec.triggers');
    expect(convert({}).object).not.toHaveProperty('spec.triggers');
  });

  test('a source without a kind is a tag if its name has one, and a stream otherwise', () => {
    const fromOf = (from: object): unknown =>
      convert({ triggers: [{ type: 'ImageChange', imageChangeParams: { from } }] }).object;
    const expected = (from: object) => ({ spec: { triggers: [{ imageChangeParams: { from } }] } });
    expect(fromOf({ name: 'web:v2' })).toMatchObject(expected({ name: 'web:v2' }));
    expect(fromOf({ name: 'web' })).toMatchObject(expected({ name: 'web:latest' }));
  });

  test('an ImageStreamTag stays as it is, and what was last is for the controller', () => {
    const params = {
      automatic: true,
      containerNames: ['web'],
      from: { kind: 'ImageStreamTag', namespace: 'art', name: 'web:latest' },
    };
    const trigger = {
      type: 'ImageChange',
      imageChangeParams: { ...params, lastTriggeredImage: 'x' },
    };
    expect(convert({ triggers: [trigger] }).object).toMatchObject({
      spec: { triggers: [{ type: 'ImageChange', imageChangeParams: params }] },
    });
    expect(JSON.stringify(convert({ triggers: [trigger] }))).not.toContain('lastTriggered');
  });

  test.each([
    [
      { triggers: [{ type: 'GitHub' }] },
      'spec.triggers[0].type: "GitHub" should be ImageChange or ConfigChange',
    ],
    [{ triggers: [{}] }, 'spec.triggers[0].type: is required'],
    [{ triggers: 'all' }, 'spec.triggers: must be a list'],
    [
      { strategy: { type: 'Rollin' } },
      'spec.strategy.type: "Rollin" should be Rolling, Recreate, Canary or Custom',
    ],
    [{ strategy: 'Rolling' }, 'spec.strategy: must be a map of fields'],
  ])('%j is a mistake', (spec, clause) => {
    expect(convert(spec).mistakes).toEqual([clause]);
  });
});

describe('of the first days', () => {
  const controllerTemplate = {
    replicas: 2,
    replicaSelector: { app: 'web' },
    podTemplate: template,
  };
  const first = (fields: object = {}, inTemplate: object = {}) =>
    convertDeploymentConfig({
      id: 'web',
      kind: 'DeploymentConfig',
      template: { strategy: { type: 'recreate' }, controllerTemplate, ...inTemplate },
      ...fields,
    });

  test('every field has its place today', () => {
    const triggers = [
      { type: 'config-change' },
      {
        type: 'image-change',
        imageChangeParams: {
          automatic: true,
          repositoryName: 'registry.example.com:5000/shop/web',
          tag: 'stable',
          containerNames: ['web'],
        },
      },
    ];
    const fields = { apiVersion: 'v1beta1', labels: { team: 'shop' }, latestVersion: 3, triggers };
    expect(first(fields)).toEqual({
      object: {
        ...header,
        metadata: { name: 'web', labels: { team: 'shop' } },
        spec: {
          strategy: { type: 'Recreate', labels: { team: 'shop' } },
          triggers: [
            { type: 'ConfigChange' },
            {
              type: 'ImageChange',
              imageChangeParams: {
                automatic: true,
                repositoryName: 'registry.example.com:5000/shop/web',
                tag: 'stable',
                containerNames: ['web'],
              },
            },
          ],
          replicas: 2,
          selector: { app: 'web' },
          template,
        },
      },
      mistakes: [],
    });
  });

  test('without triggers it was started by hand only', () => {
    expect(first().object).toHaveProperty('spec.triggers', []);
  });

  test.each([
    [{ name: 'web' }, 'stable', 'web:stable'],
    [{ kind: 'ImageRepository', name: 'web' }, undefined, 'web:latest'],
    [{ kind: 'ImageStream', name: 'web' }, '', 'web:latest'],
  ])('an image from %j with tag %s', (from, tag, name) => {
    const imageChangeParams = { from, tag, repositoryName: 'ignored' };
    const { object } = first({ triggers: [{ type: 'ImageChange', imageChangeParams }] });
    expect(object).toHaveProperty('spec.triggers', [
      { type: 'ImageChange', imageChangeParams: { from: { kind: 'ImageStreamTag', name } } },
    ]);
  });

  test('a metadata of its own is kept', () => {
    const metadata = { name: 'other', annotations: { a: 'b' } };
    const { object } = first({ id: undefined, metadata, namespace: 'art' });
    expect(object?.['metadata']).toEqual({ ...metadata, namespace: 'art' });
  });

  test('a custom pod has custom parameters today', () => {
    const strategy = { type: 'customPod', customPod: { image: 'example.com/deployer' } };
    expect(first({}, { strategy }).object).toHaveProperty('spec.strategy', {
      type: 'Custom',
      customParams: { image: 'example.com/deployer' },
    });
  });

  test.each([
    [{ paused: true }, {}, "paused: can't be converted to today's form"],
    [{}, { hooks: [] }, "template.hooks: can't be converted to today's form"],
    [
      {},
      { controllerTemplate: { ...controllerTemplate, size: 1 } },
      "template.controllerTemplate.size: can't be converted to today's form",
    ],
    [
      {},
      { controllerTemplate: { replicas: 1 } },
      'template.controllerTemplate.podTemplate: is required',
    ],
    [
      { triggers: [{ type: 'push' }] },
      {},
      'triggers[0].type: "push" should be ImageChange or ConfigChange',
    ],
    [
      {},
      { strategy: { type: 'blue' } },
      'template.strategy.type: "blue" should be Rolling, Recreate, Canary or Custom',
    ],
  ])('%j %j is a mistake', (fields, inTemplate, clause) => {
    expect(first(fields, inTemplate).mistakes).toEqual([clause]);
  });
});

describe('a rollback', () => {
  const rollback = { release: 'web-1', config: true, application: true, notes: 'I messed up' };

  test.each([
    { id: 'web', kind: 'DeploymentConfig', rollback },
    { kind: 'DeploymentConfig', apiVersion: 'v1', metadata: { name: 'web' }, rollback },
  ])('is a wish for the config of that name: %j', (value) => {
    expect(convertDeploymentConfig(value)).toEqual({
      object: {
        apiVersion: 'apps.openshift.io/v1',
        kind: 'DeploymentConfig',
        metadata: { name: 'web' },
        rollback,
      },
      mistakes: [],
    });
  });

  test.each<[object, string]>([
    [{ spec: {} }, 'spec: must be left out with a rollback, which brings one'],
    [{ template: {} }, 'template: must be left out with a rollback, which brings one'],
    [{ labels: { a: 'b' } }, "labels: can't be converted to today's form"],
    [{ rollback: { release: 'db-1' } }, 'rollback.release: must be a version of web'],
    [{ rollback: { strategy: 'x' } }, 'rollback.strategy: is not accepted'],
    [{ rollback: { config: false, application: false } }, 'rollback.application: must be true'],
    [{ rollback: 'web-1' }, 'rollback: must be an object'],
  ])('%j is a mistake', (fields, clause) => {
    const value = { id: 'web', kind: 'DeploymentConfig', rollback, ...fields };
    const { mistakes } = convertDeploymentConfig(value);
    expect(mistakes).toEqual([expect.stringContaining(clause)]);
  });
});

describe('a pod template with a desired state', () => {
  const convert = (manifest: object, podTemplate: object = {}) => {
    const controllerTemplate = { podTemplate: { desiredState: { manifest }, ...podTemplate } };
    return convertDeploymentConfig({
      id: 'web',
      kind: 'DeploymentConfig',
      template: { controllerTemplate },
    });
  };
  const place = 'template.controllerTemplate.podTemplate';

  test('becomes metadata and a spec', () => {
    const { object, mistakes } = convert(
      {
        version: 'v1beta2',
        id: '',
        containers: [
          {
            name: 'web',
            image: 'example.com/web',
            entrypoint: ['/bin/sh'],
            command: ['-c', 'serve'],
            cpu: 250,
            memory: 1048576,
            privileged: true,
            capabilities: { drop: ['ALL'] },
            imagePullPolicy: 'PullIfNotPresent',
            livenessProbe: { type: 'http', httpGet: { path: '/', port: 80 } },
            ports: [{ containerPort: 80 }],
          },
        ],
        volumes: [
          { name: 'a', source: { emptyDir: {} } },
          { name: 'b', source: { hostDir: { path: '/b' } } },
          { name: 'c', source: null },
          { name: 'd', source: { secret: { target: { name: 'key' } } } },
          { name: 'e', emptyDir: {} },
        ],
        restartPolicy: { always: {} },
        dnsPolicy: 'ClusterFirst',
      },
      { labels: { app: 'web' }, nodeSelector: { disk: 'fast' } },
    );
    expect(mistakes).toEqual([]);
    expect(object).toHaveProperty('spec.template', {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          {
            name: 'web',
            image: 'example.com/web',
            command: ['/bin/sh'],
            args: ['-c', 'serve'],
            resources: { limits: { cpu: '250m', memory: '1048576' } },
            securityContext: { privileged: true, capabilities: { drop: ['ALL'] } },
            imagePullPolicy: 'IfNotPresent',
            livenessProbe: { httpGet: { path: '/', port: 80 } },
            ports: [{ containerPort: 80 }],
          },
        ],
        volumes: [
          { name: 'a', emptyDir: {} },
          { name: 'b', hostPath: { path: '/b' } },
          { name: 'c', emptyDir: {} },
          { name: 'd', secret: { secretName: 'key' } },
          { name: 'e', emptyDir: {} },
        ],
        restartPolicy: 'Always',
        dnsPolicy: 'ClusterFirst',
        nodeSelector: { disk: 'fast' },
      },
    });
  });

  test('what was nothing stays nothing', () => {
    const container = {
      name: 'web',
      image: 'x',
      cpu: 0,
      memory: 0,
      privileged: false,
      command: null,
    };
    expect(convert({ containers: [container], volumes: null }).object).toHaveProperty(
      'spec.template',
      { spec: { containers: [{ name: 'web', image: 'x' }] } },
    );
  });

  test.each([
    [{ networks: [] }, {}, `${place}.desiredState.manifest.networks`],
    [{ containers: [{ stdin: true }] }, {}, `${place}.desiredState.manifest.containers[0].stdin`],
    [{}, { host: 'n1' }, `${place}.host`],
    [{}, { desiredState: { manifest: {}, status: 'Running' } }, `${place}.desiredState.status`],
  ])('%j %j can’t be converted', (manifest, podTemplate, field) => {
    expect(convert(manifest, podTemplate).mistakes).toEqual([
      `${field}: can't be converted to today's form`,
    ]);
  });
});
