import { describe, expect, test } from '@jest/globals';

import { parseManifests, readManifests } from '../../../src/client/install/read-manifests.js';
import { resources } from '../../../src/kubernetes/resources.js';

describe('readManifests', () => {
  test('finds the CRDs, the namespace and the rights beside the program', () => {
    const crds = readManifests('crds');
    expect(new Set(crds.map(({ type }) => type))).toEqual(
      new Set([resources.customResourceDefinitions]),
    );
    expect(crds.map(({ object }) => object.metadata.name)).toEqual([
      'deploymentconfigs.apps.openshift.io',
      'deployments.slipway.dev',
      'imagerepositories.slipway.dev',
    ]);
    const names = (file: string): string[] =>
      readManifests(file).map(({ object }) => `${object.kind ?? ''} ${object.metadata.name}`);
    expect(names('namespace.yaml')).toEqual(['Namespace slipway-system']);
    expect(names('rbac.yaml').slice(0, 3)).toEqual([
      'ServiceAccount slipway-worker',
      'ClusterRole slipway-worker',
      'ClusterRoleBinding slipway-worker',
    ]);
    expect(names('drop-in.yaml')[0]).toBe('ClusterRole slipway-worker-drop-in');
  });
});

describe('parseManifests', () => {
  test('names the file of a kind that it does not know', () => {
    const text = 'apiVersion: v1\nkind: Teapot\nmetadata: {name: short}\n';
    expect(() => parseManifests('tea.yaml', text)).toThrow(
      'tea.yaml: v1 Teapot is not a known kind',
    );
  });

  test('names the file that is not YAML', () => {
    expect(() => parseManifests('bad.yaml', 'a: [')).toThrow(/^bad[.]yaml: /);
  });
});
