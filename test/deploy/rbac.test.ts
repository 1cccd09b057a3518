import { describe, expect, test } from '@jest/globals';

import type { KubernetesObject } from '../../src/kubernetes/objects.js';
import { readObjects } from '../support/deploy-files.js';

interface Role extends KubernetesObject {
  rules: {
    apiGroups?: string[];
    resources?: string[];
    nonResourceURLs?: string[];
    resourceNames?: string[];
    verbs: string[];
  }[];
}

interface Binding extends KubernetesObject {
  roleRef: { kind: string; name: string };
  subjects: { kind: string; name: string; namespace?: string }[];
}

const files = ['deploy/rbac.yaml', 'deploy/drop-in.yaml'];
const objects = files.flatMap(readObjects);
const roles = objects.filter(({ kind }) => kind === 'ClusterRole') as Role[];
const bindings = objects.filter(({ kind }) => kind === 'ClusterRoleBinding') as Binding[];

const grants = roles.flatMap(({ metadata, rules }) =>
  rules.flatMap(({ apiGroups = [], resources = [], verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.map((verb) => ({ role: metadata.name, group, resource, verb })),
      ),
    ),
  ),
);

describe('the rights in deploy/', () => {
  test('there are some', () => {
    expect(grants.length).toBeGreaterThan(20);
  });

  test('besides, workers may ask whether the apiserver is ready', () => {
    const others = roles.flatMap(({ rules }) => rules).filter(({ resources }) => !resources);
    expect(others).toEqual([{ nonResourceURLs: ['/readyz'], verbs: ['get'] }]);
  });

  test('no rule has a wildcard', () => {
    expect(
      grants.filter((grant) => Object.values(grant).some((part) => part.includes('*'))),
    ).toEqual([]);
  });

  test('of Secrets workers may get those that they know by name, and nobody more', () => {
    expect(grants.filter(({ resource }) => resource.startsWith('secret'))).toEqual([
      { role: 'slipway-worker', group: '', resource: 'secrets', verb: 'get' },
    ]);
    expect(grants.filter(({ resource }) => resource.endsWith('/token'))).toEqual([]);
  });

  test('of what pods may need beside that, workers may get what they know by name', () => {
    const others = grants.filter(({ resource }) => /configmap|volume/.test(resource));
    expect(others).toEqual([
      { role: 'slipway-worker', group: '', resource: 'configmaps', verb: 'get' },
      { role: 'slipway-worker', group: '', resource: 'persistentvolumeclaims', verb: 'get' },
    ]);
  });

  test('Services are looked at, and never changed', () => {
    const services = grants.filter(({ resource }) => resource.startsWith('services'));
    expect(services.filter(({ resource }) => resource !== 'serviceaccounts')).toEqual([
      { role: 'slipway-worker', group: '', resource: 'services', verb: 'list' },
    ]);
  });

  test('workers create nothing but workloads, their pods, what those run as, events and reviews', () => {
    const created = grants.filter(
      ({ role, verb }) => role.startsWith('slipway-worker') && verb === 'create',
    );
    expect(new Set(created.map(({ resource }) => resource))).toEqual(
      new Set([
        'deployments',
        'deploymentconfigs',
        'events',
        'pods',
        'replicasets',
        'replicationcontrollers',
        'rolebindings',
        'serviceaccounts',
        'subjectaccessreviews',
        'tokenreviews',
      ]),
    );
  });

  test('workers hand on the rights of a deployer, and no others', () => {
    const handing = grants.filter(({ resource }) => /role/.test(resource));
    expect(handing.map(({ resource, verb }) => `${verb} ${resource}`)).toEqual([
      'create rolebindings',
      'bind clusterroles',
    ]);
    const binds = roles.flatMap(({ rules }) => rules).filter(({ verbs }) => verbs.includes('bind'));
    expect(binds.map(({ resourceNames }) => resourceNames)).toEqual([['slipway-deployer']]);
  });

  test('a deployer changes versions and looks at their pods', () => {
    const deployer = grants.filter(({ role }) => role === 'slipway-deployer');
    expect(new Set(deployer.map(({ resource }) => resource))).toEqual(
      new Set([
        'replicationcontrollers',
        'replicationcontrollers/scale',
        'pods',
        'pods/log',
        'events',
      ]),
    );
  });

  test('without --drop-in no right reaches Deployments of apps/v1', () => {
    const touching = grants.filter(
      ({ group, resource }) => group === 'apps' && resource.startsWith('deployments'),
    );
    expect(new Set(touching.map(({ role }) => role))).toEqual(new Set(['slipway-worker-drop-in']));
  });

  test('drop-in gives the same rights on the built-in kind as on our own', () => {
    const on = (role: string, group: string): string[] =>
      grants
        .filter((grant) => grant.role === role && grant.group === group)
        .filter(({ resource }) => resource.startsWith('deployments'))
        .map(({ resource, verb }) => `${verb} ${resource}`)
        .sort();
    expect(on('slipway-worker-drop-in', 'apps')).toEqual(on('slipway-worker', 'slipway.dev'));
  });

  test('who may edit a namespace may do so to each kind, and never to a status', () => {
    const edited = grants.filter(({ role }) => role === 'slipway-edit');
    const viewed = grants.filter(({ role }) => role === 'slipway-view');
    for (const resource of ['deployments', 'deploymentconfigs', 'imagerepositories']) {
      const verbsIn = (given: typeof grants): string[] =>
        given.filter((grant) => grant.resource === resource).map(({ verb }) => verb);
      expect(verbsIn(viewed)).toEqual(['get', 'list', 'watch']);
      expect(verbsIn(edited)).toEqual(['create', 'update', 'patch', 'delete', 'deletecollection']);
    }
    expect(edited.filter(({ resource }) => resource.endsWith('/status'))).toEqual([]);
  });

  test('each binding joins a role that is here to the one ServiceAccount', () => {
    const account = objects.find(({ kind }) => kind === 'ServiceAccount');
    expect(bindings).toHaveLength(2);
    for (const { roleRef, subjects } of bindings) {
      expect(roles.map(({ metadata }) => metadata.name)).toContain(roleRef.name);
      const { name, namespace } = account!.metadata;
      expect(subjects).toEqual([{ kind: 'ServiceAccount', name, namespace }]);
    }
  });
});
