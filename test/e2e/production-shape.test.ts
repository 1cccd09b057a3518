import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Connection } from '@temporalio/client';

import { renderCrds } from '../../scripts/crds/render-crds.js';
import { CommandFailure, exitCodes } from '../../src/client/failure.js';
import { install } from '../../src/client/install/install.js';
import { connectCluster } from '../../src/kubernetes/connect.js';
import type { Deployment, KubernetesObject } from '../../src/kubernetes/objects.js';
import { resources, type ResourceType } from '../../src/kubernetes/resources.js';
import { resolveCompose } from '../support/compose-config.js';
import { listManifestFiles, readObjects, readText } from '../support/deploy-files.js';
import { refusalOf } from '../support/refusal-of.js';
import { waitFor } from '../support/wait-for.js';

const cluster = connectCluster({ kubeconfig: process.env['SLIPWAY_E2E_KUBECONFIG'] });
const { client } = cluster;
const namespace = `production-shape-${randomBytes(3).toString('hex')}`;
const workerAccount = 'system:serviceaccount:slipway-system:slipway-worker';

const types: readonly ResourceType[] = [...Object.values(resources)];

function typeOf(object: KubernetesObject): ResourceType {
  const found = types.find(
    ({ apiVersion, kind }) => apiVersion === object.apiVersion && kind === object.kind,
  );
  if (found === undefined) throw new Error(`${object.kind ?? ''} is not a kind of this test`);
  return found;
}

beforeAll(async () => {
  for (const object of readObjects('deploy/namespace.yaml')) {
    await client.apply(resources.namespaces, object);
  }
  await client.create(resources.namespaces, { metadata: { name: namespace } });
});

afterAll(async () => {
  await client.delete(resources.namespaces, undefined, namespace);
  await client.close();
});

describe('docker-compose.yml', () => {
  test('resolves, with the kubeconfig where the worker looks for it', async () => {
    const { services } = await resolveCompose({
      POSTGRES_PASSWORD: 'from-the-environment',
      SLIPWAY_KUBECONFIG: '/home/me/cluster.yaml',
      SLIPWAY_USER: '1234:1234',
    });
    const worker = services['slipway-worker'];
    expect(worker?.user).toBe('1234:1234');
    expect(worker?.volumes).toEqual([
      expect.objectContaining({
        source: '/home/me/cluster.yaml',
        target: worker?.environment?.['KUBECONFIG'],
        read_only: true,
      }),
    ]);
    expect(services['postgresql']?.environment?.['POSTGRES_PASSWORD']).toBe('from-the-environment');
  }, 120_000);

  test('asks for a password in one sentence', async () => {
    await expect(resolveCompose({})).rejects.toThrow(
      /required variable POSTGRES_PASSWORD is missing a value: must be set, for example in [.]env/,
    );
  }, 120_000);
});

describe('deploy/', () => {
  test.each(listManifestFiles())(
    '%s is accepted by the apiserver, field by field',
    async (file) => {
      for (const object of readObjects(`deploy/${file}`)) {
        const options = { dryRun: true, strict: true };
        const answer = await client.apply(typeOf(object), object, options);
        expect(answer.metadata.name).toBe(object.metadata.name);
      }
    },
  );

  test('crds/ is what the generator writes for this apiserver', async () => {
    for (const { file, text } of await renderCrds(client)) {
      // Compared as a truth value: a difference of 3,700 lines helps nobody.
      expect([file, text === readText(`deploy/crds/${file}`)]).toEqual([file, true]);
    }
  });

  test('the worker pod meets the restricted standard of its namespace, and a root one does not', async () => {
    for (const object of readObjects('deploy/rbac.yaml'))
      await client.apply(typeOf(object), object);
    const worker = readObjects('deploy/worker.yaml').find(({ kind }) => kind === 'Deployment');
    const { spec } = (worker as Deployment).spec!.template;
    const metadata = { name: 'probe', namespace: 'slipway-system' };
    const pod = { metadata, spec };
    await client.create(resources.pods, pod, { dryRun: true, strict: true });
    const asRoot = { metadata, spec: { ...spec, securityContext: { runAsUser: 0 } } };
    const refusal = await refusalOf(client.create(resources.pods, asRoot, { dryRun: true }));
    expect(refusal.message).toContain('violates PodSecurity "restricted');
  });
});

describe('slipway install', () => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await Connection.connect({
      address: process.env['SLIPWAY_E2E_TEMPORAL_ADDRESS'] ?? '',
    });
  });
  afterAll(() => connection.close());

  test('finds everything there the second time', async () => {
    const options = { cluster, connection, namespace: 'default' };
    await install({ ...options, report: () => undefined });
    const lines: string[] = [];
    await install({ ...options, report: (line) => void lines.push(line) });
    expect(lines.length).toBeGreaterThan(6);
    expect(lines.filter((line) => !line.endsWith(': there already'))).toEqual([]);
  });

  test('says so in one sentence when the Temporal namespace is not there, before it changes anything', async () => {
    const lines: string[] = [];
    const failure: unknown = await install({
      cluster,
      connection,
      namespace,
      report: (line) => void lines.push(line),
    }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CommandFailure);
    expect((failure as CommandFailure).exitCode).toBe(exitCodes.badInput);
    expect((failure as CommandFailure).message).toContain(
      `Temporal has no namespace "${namespace}"`,
    );
    expect(lines).toEqual([]);
  });
});

/** The rights of a user who has nothing but this role. */
async function bindRole(role: string): Promise<string> {
  const user = `${namespace}-${role}`;
  const binding = {
    metadata: { name: user },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  };
  await client.create(resources.clusterRoleBindings, binding);
  return user;
}

async function isAllowed(user: string, verb: string, path: string): Promise<boolean> {
  const [group = '', resource, subresource] = path.split('/');
  const review: { status: { allowed: boolean } } = await client.transport.json({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user, resourceAttributes: { namespace: 'shop', verb, group, resource, subresource } },
    },
  });
  return review.status.allowed;
}

describe('the rights of the worker', () => {
  const users: Record<string, string> = {};
  const roles = ['slipway-worker', 'slipway-worker-drop-in'];
  beforeAll(async () => {
    for (const object of [
      ...readObjects('deploy/rbac.yaml'),
      ...readObjects('deploy/drop-in.yaml'),
    ]) {
      if (object.kind === 'ClusterRole') await client.apply(resources.clusterRoles, object);
    }
    for (const role of roles) users[role] = await bindRole(role);
    // The apiserver's own rules follow a change after a moment.
    await waitFor('the new bindings take effect', async () => {
      const user = users['slipway-worker-drop-in'] ?? '';
      return (await isAllowed(user, 'list', 'apps/deployments')) ? true : undefined;
    });
  });
  afterAll(async () => {
    for (const user of Object.values(users)) {
      await client.delete(resources.clusterRoleBindings, undefined, user);
    }
  });

  const allowed: [string, string][] = [
    ...['get', 'list', 'watch', 'create', 'patch'].map((verb) => [verb, 'slipway.dev/deployments']),
    ['patch', 'slipway.dev/deployments/status'],
    ['update', 'slipway.dev/deployments/finalizers'],
    ...['get', 'list', 'watch', 'create', 'patch', 'delete'].map((verb) => [
      verb,
      'apps/replicasets',
    ]),
    ...['get', 'list', 'watch', 'create', 'patch', 'update'].map((verb) => [
      verb,
      'apps.openshift.io/deploymentconfigs',
    ]),
    ['patch', 'apps.openshift.io/deploymentconfigs/status'],
    ['update', 'apps.openshift.io/deploymentconfigs/status'],
    ['update', 'apps.openshift.io/deploymentconfigs/finalizers'],
    ...['get', 'list', 'watch', 'create', 'patch', 'delete'].map((verb) => [
      verb,
      '/replicationcontrollers',
    ]),
    ...['get', 'list', 'watch', 'patch'].map((verb) => [verb, 'slipway.dev/imagerepositories']),
    ['patch', 'slipway.dev/imagerepositories/status'],
    ...['get', 'list', 'watch', 'create', 'patch', 'delete'].map((verb) => [verb, '/pods']),
    ['get', '/serviceaccounts'],
    ['create', 'events.k8s.io/events'],
    ['get', '/secrets'],
    ['get', '/configmaps'],
    ['get', '/persistentvolumeclaims'],
    ['list', '/services'],
    ['create', 'authentication.k8s.io/tokenreviews'],
    ['create', 'authorization.k8s.io/subjectaccessreviews'],
  ] as [string, string][];

  test.each(allowed)('may %s %s', async (verb, path) => {
    expect(await isAllowed(users['slipway-worker']!, verb, path)).toBe(true);
  });

  test.each([
    ['create', '/pods/exec'],
    ...['list', 'watch', 'create', 'update', 'patch', 'delete'].map((verb) => [verb, '/secrets']),
    ...['list', 'watch', 'create', 'update', 'patch', 'delete'].flatMap((verb) => [
      [verb, '/configmaps'],
      [verb, '/persistentvolumeclaims'],
    ]),
    ...['watch', 'create', 'update', 'patch', 'delete'].map((verb) => [verb, '/services']),
    ['create', '/serviceaccounts/token'],
    ['delete', 'slipway.dev/deployments'],
    ['delete', 'apps.openshift.io/deploymentconfigs'],
    ['update', 'slipway.dev/imagerepositories'],
    ['delete', 'slipway.dev/imagerepositories'],
    ['deletecollection', 'apps/replicasets'],
    ['list', 'apps/deployments'],
    ['patch', 'apps/deployments'],
    ['delete', 'apps/deployments'],
    ['create', 'apps/statefulsets'],
    ['update', 'rbac.authorization.k8s.io/clusterroles'],
    ['impersonate', '/users'],
  ] as [string, string][])('may not %s %s', async (verb, path) => {
    expect(await isAllowed(users['slipway-worker']!, verb, path)).toBe(false);
  });

  test.each([
    ['watch', true],
    ['patch', true],
    ['create', true],
    ['delete', false],
  ])('with drop-in.yaml, to %s apps/v1 Deployments is %s', async (verb, expected) => {
    expect(await isAllowed(users['slipway-worker-drop-in']!, verb, 'apps/deployments')).toBe(
      expected,
    );
  });

  test('are bound to its ServiceAccount', async () => {
    for (const object of readObjects('deploy/rbac.yaml'))
      await client.apply(typeOf(object), object);
    expect(await isAllowed(workerAccount, 'create', 'apps/replicasets')).toBe(true);
    expect(await isAllowed(workerAccount, 'list', '/secrets')).toBe(false);
  });
});
