import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

import type { Deployment, KubernetesObject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { isPinned, listManifestFiles, readObjects, readText } from '../support/deploy-files.js';

interface Crd extends KubernetesObject {
  spec: {
    group: string;
    scope: string;
    names: { kind: string; plural: string };
    versions: { name: string; storage: boolean; subresources: object }[];
  };
}

const { version } = JSON.parse(readText('package.json')) as { version: string };
const worker = readObjects('deploy/worker.yaml').find(
  ({ kind }) => kind === 'Deployment',
) as Deployment;
const pod = worker.spec!.template.spec!;
const container = pod.containers[0]!;

describe('the manifests in deploy/', () => {
  test.each(listManifestFiles())('%s has objects with a kind and a name', (file) => {
    const objects = readObjects(`deploy/${file}`);
    expect(objects.length).toBeGreaterThan(0);
    for (const { apiVersion, kind, metadata } of objects) {
      expect([typeof apiVersion, typeof kind, typeof metadata.name]).toEqual(
        Array(3).fill('string'),
      );
    }
  });

  test('kustomization.yaml has every file, but the one for --drop-in', () => {
    const { resources: listed } = parse(readText('deploy/kustomization.yaml')) as {
      resources: string[];
    };
    expect([...listed, 'drop-in.yaml'].sort()).toEqual(listManifestFiles().sort());
  });

  test.each([
    [resources.slipwayDeployments, ['status', 'scale']],
    [resources.deploymentConfigs, ['status', 'scale']],
    [resources.imageRepositories, ['status']],
  ])('the CRD of $kind has the names by which the code asks for it', (type, subresources) => {
    const group = type.apiVersion.slice(0, type.apiVersion.indexOf('/'));
    const crd = readObjects(`deploy/crds/${type.plural}.${group}.yaml`)[0] as Crd;
    const { names, scope, versions } = crd.spec;
    expect(crd.metadata.name).toBe(`${names.plural}.${crd.spec.group}`);
    expect({
      apiVersion: `${crd.spec.group}/${versions[0]!.name}`,
      kind: names.kind,
      plural: names.plural,
      namespaced: scope === 'Namespaced',
    }).toEqual(type);
    expect(Object.keys(versions[0]!.subresources)).toEqual(subresources);
  });
});

describe('the worker in deploy/', () => {
  test('runs the version of package.json', () => {
    expect(container.image).toBe(`slipway:${version}`);
    expect(isPinned(container.image!)).toBe(true);
    const { images } = parse(readText('deploy/kustomization.yaml')) as {
      images: { newTag: string }[];
    };
    expect(images.map(({ newTag }) => newTag)).toEqual([version]);
  });

  test('is not root, writes nowhere and gains nothing', () => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  test('is probed where it listens', () => {
    const address = container.env?.find(({ name }) => name === 'SLIPWAY_HTTP_ADDRESS')?.value;
    const port = container.ports?.find(({ name }) => name === 'http')?.containerPort;
    expect(address).toBe(`0.0.0.0:${port ?? ''}`);
    expect(container.livenessProbe?.httpGet).toEqual({ path: '/healthz', port: 'http' });
    expect(container.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'http' });
  });

  test('is more than one, and selects its own pods', () => {
    expect(worker.spec!.replicas).toBeGreaterThan(1);
    expect(worker.spec!.template.metadata?.labels).toMatchObject(
      worker.spec!.selector.matchLabels!,
    );
  });
});
