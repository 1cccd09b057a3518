import { describe, expect, test } from '@jest/globals';

import { parseManifests } from '../../../../src/client/manifests/parse-manifests.js';

const pods = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: ' ' }] },
};

/** A Template of the shape that builds on OpenShift have. */
const template = {
  kind: 'Template',
  apiVersion: 'v1',
  metadata: { name: 'shop' },
  objects: [
    { kind: 'ImageStream', apiVersion: 'v1', metadata: { name: '${NAME}' } },
    {
      kind: 'BuildConfig',
      apiVersion: 'v1',
      metadata: { name: '${NAME}-build' },
      spec: { output: { to: { kind: 'ImageStreamTag', name: '${NAME}:latest' } } },
    },
    {
      kind: 'DeploymentConfig',
      apiVersion: 'v1',
      metadata: { name: '${NAME}' },
      spec: {
        triggers: [
          {
            type: 'ImageChange',
            imageChangeParams: { from: { kind: 'ImageStreamTag', name: '${NAME}:latest' } },
          },
        ],
        template: pods,
      },
    },
    {
      kind: 'RoleBinding',
      apiVersion: 'v1',
      metadata: { name: '${NAME}-view' },
      subjects: [
        { kind: 'ServiceAccount', name: '${NAME}' },
        { kind: 'SystemGroup', name: 'system:authenticated' },
      ],
      groupNames: ['ignored'],
      roleRef: { name: 'view' },
    },
    { kind: 'Route', apiVersion: 'v1', metadata: { name: '${NAME}' } },
  ],
  parameters: [{ name: 'NAME', value: 'web' }],
};

const parse = (imageRepositories: Record<string, string> = {}, value: object = template) =>
  parseManifests([{ name: 'shop.json', text: JSON.stringify(value) }], {
    imageRepositories: new Map(Object.entries(imageRepositories)),
  });

describe('a Template that builds', () => {
  test('needs to be told where the images are', () => {
    expect(parse().mistakes).toEqual([
      'shop.json: Template shop: objects[0]: ImageStream web: spec: names no image outside the cluster; ' +
        'BuildConfig web-build would have fed it: say where its images are with --image-repository web=REGISTRY/REPOSITORY',
    ]);
  });

  test('is converted when it knows', () => {
    const { drafts, mistakes } = parse({ web: 'registry.example.com:5000/shop/web' });
    expect(mistakes).toEqual([]);
    expect(drafts.map(({ object }) => `${object.apiVersion} ${object.kind}`)).toEqual([
      'slipway.dev/v1alpha1 ImageRepository',
      'build.openshift.io/v1 BuildConfig',
      'apps.openshift.io/v1 DeploymentConfig',
      'rbac.authorization.k8s.io/v1 RoleBinding',
      'route.openshift.io/v1 Route',
    ]);
    expect(drafts[0]?.object).toMatchObject({
      metadata: { name: 'web' },
      spec: { repository: 'registry.example.com:5000/shop/web', tags: ['latest'] },
    });
    expect(drafts[3]?.object).toEqual({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'web-view' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [
        { kind: 'ServiceAccount', name: 'web' },
        { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:authenticated' },
      ],
    });
  });

  test('an ImageStream that is not there is a mistake', () => {
    expect(parse({ web: 'example.com/web', wbe: 'example.com/web' }).mistakes).toEqual([
      '--image-repository wbe: there is no ImageStream of that name in the files',
    ]);
  });
});

describe('objects by themselves', () => {
  const only = (value: object) => parse({}, value);

  test('the first DeploymentConfigs need neither apiVersion nor metadata', () => {
    const { drafts, mistakes } = only({
      id: 'web',
      kind: 'DeploymentConfig',
      template: { controllerTemplate: { podTemplate: pods } },
    });
    expect(mistakes).toEqual([]);
    expect(drafts[0]?.object).toMatchObject({
      apiVersion: 'apps.openshift.io/v1',
      metadata: { name: 'web' },
    });
  });

  test('one without a name is refused', () => {
    const value = { kind: 'DeploymentConfig', apiVersion: 'v1', spec: { template: pods } };
    expect(only(value).mistakes).toEqual([
      'shop.json: DeploymentConfig: metadata.name: is required',
    ]);
  });

  test('mistakes name the object and the field', () => {
    const value = {
      kind: 'DeploymentConfig',
      apiVersion: 'v1',
      metadata: { name: 'web' },
      spec: { strategy: { type: 'Rollin' } },
    };
    expect(only(value).mistakes).toEqual([
      'shop.json: DeploymentConfig web: spec.strategy.type: "Rollin" should be Rolling, Recreate, Canary or Custom',
    ]);
  });

  test('what is left out is told', () => {
    const value = {
      kind: 'ImageStream',
      apiVersion: 'image.openshift.io/v1',
      metadata: { name: 'web' },
      spec: {
        dockerImageRepository: 'example.com/web',
        tags: [{ name: 'old', from: { kind: 'DockerImage', name: 'example.com/web:0' } }],
      },
    };
    expect(only(value).notes).toEqual([
      "shop.json: ImageStream web: left out: spec.tags: old: stands for example.com/web:0, and an ImageRepository knows the registry's own tags only",
    ]);
  });

  test.each([
    [{ roleRef: { name: 'edit', namespace: 'art' }, userNames: ['ann'] }, 'Role', 'User', 'ann'],
    [{ roleRef: { name: 'edit' }, groupNames: ['shop'] }, 'ClusterRole', 'Group', 'shop'],
  ])('a RoleBinding of OpenShift with %j', (fields, roleKind, kind, name) => {
    const { drafts } = only({
      apiVersion: 'authorization.openshift.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'web' },
      ...fields,
    });
    expect(drafts[0]?.object).toMatchObject({
      roleRef: { kind: roleKind, name: 'edit' },
      subjects: [{ kind, name }],
    });
    expect(drafts[0]?.object).not.toHaveProperty('userNames');
  });

  test('a RoleBinding of Kubernetes stays as it is', () => {
    const value = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'web' },
      roleRef: { kind: 'Role', name: 'edit' },
    };
    expect(only(value).drafts[0]?.object).toEqual(value);
  });
});
