import { expect, test } from '@jest/globals';

import { encodeSecret } from '../../../src/client/manifests/encode-secret.js';
import { orderManifests } from '../../../src/client/manifests/order-manifests.js';
import { kindsOf, manifestsOf } from './support.js';

const object = (apiVersion: string, kind: string, name = 'web'): string =>
  JSON.stringify({ apiVersion, kind, metadata: { name } });

test('what pods need comes before them, and the files’ own order is kept otherwise', () => {
  const text = [
    object('apps/v1', 'Deployment', 'first'),
    object('v1', 'Pod'),
    object('networking.k8s.io/v1', 'Ingress'),
    object('slipway.dev/v1alpha1', 'ImageRepository'),
    object('v1', 'Service'),
    object('rbac.authorization.k8s.io/v1', 'RoleBinding'),
    object('v1', 'PersistentVolumeClaim'),
    object('v1', 'ConfigMap'),
    object('v1', 'Secret'),
    object('v1', 'ServiceAccount'),
    object('v1', 'Namespace'),
    object('slipway.dev/v1alpha1', 'Deployment', 'second'),
  ].join('\n---\n');
  const ordered = orderManifests(manifestsOf(text).manifests);
  expect(kindsOf(ordered)).toEqual([
    'Namespace',
    'ConfigMap',
    'Secret',
    'ServiceAccount',
    'PersistentVolumeClaim',
    'RoleBinding',
    'Service',
    'ImageRepository',
    'Ingress',
    'Deployment',
    'Pod',
    'Deployment',
  ]);
  expect(ordered.at(-1)?.object.metadata.name).toBe('second');
});

test.each([
  [
    { stringData: { user: 'shop', word: 'ä' }, data: { old: 'eA==' } },
    { data: { old: 'eA==', user: 'c2hvcA==', word: 'w6Q=' } },
  ],
  [{ stringData: { user: 'new' }, data: { user: 'b2xk' } }, { data: { user: 'bmV3' } }],
  [{ data: { old: 'eA==' } }, { data: { old: 'eA==' } }],
  [{ stringData: { port: 5432 } }, { stringData: { port: 5432 } }],
])('a Secret with %j', (fields, expected) => {
  const header = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'db' } };
  const [secret] = manifestsOf(JSON.stringify({ ...header, ...fields })).manifests;
  expect(encodeSecret(secret!).object).toEqual({ ...header, ...expected });
});

test('only Secrets have stringData', () => {
  const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: db}\nstringData: {a: b}\n';
  const [map] = manifestsOf(text).manifests;
  expect(encodeSecret(map!)).toBe(map);
});
