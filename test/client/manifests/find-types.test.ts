import { describe, expect, test } from '@jest/globals';

import { resources } from '../../../src/kubernetes/resources.js';
import { manifestsOf } from './support.js';

const object = (apiVersion: string, kind: string): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: web}\n`;

describe('findTypes', () => {
  test('addresses what the cluster serves, and its own kinds without asking', () => {
    const text = [
      object('v1', 'Service'),
      object('v1', 'Namespace'),
      object('slipway.dev/v1alpha1', 'Deployment'),
    ].join('---\n');
    const { manifests, mistakes } = manifestsOf(text);
    expect(mistakes).toEqual([]);
    expect(manifests.map(({ type }) => type)).toEqual([
      { apiVersion: 'v1', kind: 'Service', plural: 'services', namespaced: true },
      { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false },
      {
        apiVersion: 'slipway.dev/v1alpha1',
        kind: 'Deployment',
        plural: 'deployments',
        namespaced: true,
      },
    ]);
  });

  test.each([
    [
      object('example.com/v1', 'Widget'),
      "web.yaml: Widget web: apiVersion: this cluster doesn't know Widgets of example.com/v1",
    ],
    [
      object('v1', 'Servce'),
      "web.yaml: Servce web: apiVersion: this cluster doesn't know Servces of v1",
    ],
    [
      object('apps/v1beta1', 'Deployment'),
      'web.yaml: Deployment web: apiVersion: "apps/v1beta1" should be slipway.dev/v1alpha1 or apps/v1',
    ],
    [
      object('slipway.dev/v1alpha1', 'Cluster'),
      'web.yaml: Cluster web: apiVersion: this cluster doesn\'t know Clusters of slipway.dev/v1alpha1; "slipway install" adds them',
    ],
  ])('%j', (text, sentence) => {
    expect(manifestsOf(text).mistakes).toEqual([sentence]);
  });

  test('a kind that the same files define is a known limit', () => {
    const crd =
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.com}\n' +
      'spec: {group: example.com, names: {kind: Widget}}\n';
    expect(manifestsOf(`${crd}---\n${object('example.com/v1', 'Widget')}`).mistakes).toContain(
      "web.yaml: Widget web: apiVersion: this cluster doesn't know Widgets of example.com/v1, and their " +
        'CustomResourceDefinition has to be deployed before these files, because everything is checked before anything changes',
    );
  });

  test.each([
    ['route.openshift.io/v1', 'Route', 'an Ingress of networking.k8s.io/v1 does its work'],
    ['v1', 'Route', 'an Ingress of networking.k8s.io/v1 does its work'],
    ['build.openshift.io/v1', 'BuildConfig', 'build the image in CI, and push it to a registry'],
    ['v1', 'BuildConfig', 'build the image in CI, and push it to a registry'],
    ['project.openshift.io/v1', 'Project', 'create a Namespace'],
  ])('what only OpenShift has is skipped: %s %s', (apiVersion, kind, advice) => {
    const { manifests, mistakes, skipped } = manifestsOf(object(apiVersion, kind));
    expect([manifests, mistakes]).toEqual([[], []]);
    expect(skipped).toEqual([
      `web.yaml: ${kind} web: skipped: this cluster doesn't have OpenShift's ${kind}; ${advice}`,
    ]);
  });

  test('a kind of OpenShift without advice is skipped too', () => {
    expect(manifestsOf(object('quota.openshift.io/v1', 'ClusterResourceQuota')).skipped).toEqual([
      "web.yaml: ClusterResourceQuota web: skipped: this cluster doesn't have OpenShift's ClusterResourceQuota",
    ]);
  });

  test('a DeploymentConfig is not skipped: Slipway brings it', () => {
    const { manifests, mistakes, skipped } = manifestsOf(
      `${object('v1', 'DeploymentConfig')}spec: {template: {}}\n`,
    );
    expect([mistakes, skipped]).toEqual([[], []]);
    // Whether the cluster has the kind, the check of the manifest itself tells.
    expect(manifests.map(({ type }) => type)).toEqual([resources.deploymentConfigs]);
  });
});
