import { readFile } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { connectCluster, type Cluster } from '../../src/kubernetes/connect.js';
import type { Deployment, KubernetesObject } from '../../src/kubernetes/objects.js';
import { resources, type ResourceType } from '../../src/kubernetes/resources.js';
import { withNamespace } from '../support/namespaces.js';
import { runSlipway, type CommandResult } from '../support/slipway-command.js';

const kubeconfig = process.env['SLIPWAY_E2E_KUBECONFIG'] ?? '';
const env = { KUBECONFIG: kubeconfig };
const example = 'examples/shop-template.yaml';

const core = (kind: string, plural: string): ResourceType => ({
  apiVersion: 'v1',
  kind,
  plural,
  namespaced: true,
});
const secrets = core('Secret', 'secrets');
const services = core('Service', 'services');

let cluster: Cluster;

beforeAll(() => {
  cluster = connectCluster({ kubeconfig });
});

afterAll(async () => {
  await cluster.client.close();
});

const deploy = (namespace: string, ...words: string[]): Promise<CommandResult> =>
  runSlipway(['deploy', '-n', namespace, '-f', ...words], { env });

const deployText = (namespace: string, input: string): Promise<CommandResult> =>
  runSlipway(['deploy', '-n', namespace, '-f', '-'], { env, input });

async function readSecret(namespace: string, name = 'shop'): Promise<Record<string, string>> {
  const secret = await cluster.client.get<KubernetesObject & { data: Record<string, string> }>(
    secrets,
    namespace,
    name,
  );
  const entries = Object.entries(secret.data);
  return Object.fromEntries(
    entries.map(([key, text]) => [key, Buffer.from(text, 'base64').toString('utf8')]),
  );
}

const names = async (type: ResourceType, namespace: string): Promise<readonly string[]> => {
  const { items } = await cluster.client.list(type, namespace);
  return items.map(({ metadata }) => metadata.name);
};

describe('a Template', () => {
  test('is rolled out with its parameters, and keeps what was generated', async () => {
    await withNamespace(cluster, async (namespace) => {
      const first = await deploy(namespace, example, '--param-file', 'examples/shop.env');
      expect([first.code, first.stderr]).toEqual([0, '']);
      expect(first.stdout.split('\n').slice(0, 4)).toEqual([
        `${example}: Route shop: skipped: this cluster doesn't have OpenShift's Route; an Ingress of networking.k8s.io/v1 does its work`,
        `secret/shop in ${namespace} applied`,
        `service/shop in ${namespace} applied`,
        `deployment.slipway.dev/shop in ${namespace} applied`,
      ]);
      expect(first.stdout).toMatch(/shop: complete after \S+: 3 of 3 updated, 3 available\n$/);

      const before = await readSecret(namespace);
      expect(before).toEqual({
        user: expect.stringMatching(/^user[A-Z0-9]{3}$/),
        password: expect.stringMatching(/^[a-zA-Z0-9]{16}$/),
        url: `postgresql://${before['user'] ?? ''}@database/shop`,
      });

      const words = ['--param-file', 'examples/shop.env', '-p', 'REPLICAS=1', '-p', 'VERSION=1.29'];
      const second = await deploy(namespace, example, ...words);
      expect([second.code, second.stderr]).toEqual([0, '']);
      expect(await readSecret(namespace)).toEqual(before);
      const { metadata, spec } = await cluster.client.get<Deployment>(
        resources.slipwayDeployments,
        namespace,
        'shop',
      );
      expect(metadata.labels).toMatchObject({ app: 'shop' });
      expect(spec?.replicas).toBe(1);
      expect(spec?.template.spec?.containers[0]?.image).toBe('nginx:1.29');

      const third = await deploy(namespace, example, ...words, '-p', 'DATABASE_PASSWORD=given');
      expect([third.code, third.stderr]).toEqual([0, '']);
      expect(await readSecret(namespace)).toEqual({ ...before, password: 'given' });
    });
  });

  test('that lacks something changes nothing', async () => {
    await withNamespace(cluster, async (namespace) => {
      const [missing, unknown, wrong] = await Promise.all([
        deploy(namespace, example),
        deploy(namespace, example, '-p', 'VERSION=1', '-p', 'REPLCAS=2'),
        deploy(namespace, example, '-p', 'VERSION=1', '-p', 'REPLICAS=-1'),
      ]);
      expect([missing, unknown, wrong]).toEqual([
        {
          code: 2,
          stdout: '',
          stderr: `slipway: ${example}: Template shop: parameter VERSION: needs a value: give it with --param VERSION=VALUE\n`,
        },
        {
          code: 2,
          stdout: '',
          stderr:
            'slipway: --param REPLCAS: no Template has a parameter of that name; did you mean REPLICAS?\n',
        },
        {
          code: 2,
          stdout: '',
          stderr: `slipway: ${example}: Deployment shop: spec.replicas: must be greater than or equal to 0\n`,
        },
      ]);
      expect(await names(secrets, namespace)).toEqual([]);
    });
  });
});

describe('plain kinds', () => {
  const service = (fields: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }], ...fields },
  });
  const documents = (...objects: object[]): string =>
    objects.map((object) => JSON.stringify(object)).join('\n---\n');

  test('are applied without anything to follow, and again', async () => {
    await withNamespace(cluster, async (namespace) => {
      const map = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'web' },
        data: { a: 'b' },
      };
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'web' } };
      const binding = {
        apiVersion: 'v1',
        kind: 'RoleBinding',
        metadata: { name: 'web' },
        roleRef: { name: 'view' },
        subjects: [{ kind: 'ServiceAccount', name: 'web' }],
      };
      const text = documents(service(), binding, map, account);
      const expected = {
        code: 0,
        stdout: [
          'configmap/web',
          'serviceaccount/web',
          'rolebinding.rbac.authorization.k8s.io/web',
          'service/web',
        ]
          .map((ref) => `${ref} in ${namespace} applied\n`)
          .join(''),
        stderr: '',
      };
      expect(await deployText(namespace, text)).toEqual(expected);
      expect(await deployText(namespace, text)).toEqual(expected);
    });
  });

  test('a key that is gone from a Secret’s file is gone from the Secret', async () => {
    await withNamespace(cluster, async (namespace) => {
      const secret = (stringData: object): string =>
        documents({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'db' }, stringData });
      await deployText(namespace, secret({ user: 'a', old: 'b' }));
      await deployText(namespace, secret({ user: 'c' }));
      expect(await readSecret(namespace, 'db')).toEqual({ user: 'c' });
    });
  });

  test('are checked before anything is changed', async () => {
    await withNamespace(cluster, async (namespace) => {
      const bad = service({ prts: [] });
      const route = { apiVersion: 'v1', kind: 'Route', metadata: { name: 'web' } };
      const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'web' } };
      const elsewhere = `${namespace}-new`;
      const map = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'web', namespace: elsewhere },
      };
      const home = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: elsewhere } };
      const [misspelt, nothing, unknown, early] = await Promise.all([
        deployText(namespace, documents({ ...service(), metadata: { name: 'good' } }, bad)),
        deployText(namespace, documents(route)),
        deployText(namespace, documents(widget)),
        runSlipway(['deploy', '-f', '-'], { env, input: documents(home, map) }),
      ]);
      expect([misspelt.code, misspelt.stderr]).toEqual([
        2,
        'slipway: stdin: Service web: spec.prts: there is no such field; did you mean ports?\n',
      ]);
      expect([nothing.code, nothing.stderr]).toEqual([
        2,
        "slipway: stdin: Route web: skipped: this cluster doesn't have OpenShift's Route; an Ingress of networking.k8s.io/v1 does its work\n" +
          'slipway: there is nothing in the files that this cluster can be given\n',
      ]);
      expect([unknown.code, unknown.stderr]).toEqual([
        2,
        "slipway: stdin: Widget web: apiVersion: this cluster doesn't know Widgets of example.com/v1\n",
      ]);
      expect([early.code, early.stderr]).toEqual([
        2,
        `slipway: stdin: ConfigMap web: metadata.namespace: there is no namespace "${elsewhere}", and it has to be deployed before these files, because everything is checked before anything changes\n`,
      ]);
      expect(await names(services, namespace)).toEqual([]);
    });
  });

  test('the example is the one of the documentation', async () => {
    const page = await readFile('docs/openshift.md', 'utf8');
    expect(page).toContain(`npx slipway deploy -f ${example}`);
  });
});
