import { describe, expect, test } from '@jest/globals';

import { placeManifests } from '../../../src/client/manifests/place-manifests.js';
import { manifestsOf } from './support.js';

const good = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n';
const inShop = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\n';
const ours = inShop.replace('apps/v1', 'slipway.dev/v1alpha1');

const place = (text: string, required?: string) =>
  placeManifests(manifestsOf(text).manifests, { namespace: required ?? 'default', required });

describe('placeManifests', () => {
  test('an object that names no namespace gets one', () => {
    expect(place(good).placed[0]?.object.metadata.namespace).toBe('default');
    expect(place(good, 'art').placed[0]?.object.metadata.namespace).toBe('art');
    expect(place(inShop).placed[0]?.object.metadata.namespace).toBe('shop');
    const empty = inShop.replace('shop', '""');
    expect(place(empty).placed[0]?.object.metadata.namespace).toBe('default');
  });

  test('no object may contradict the one asked for', () => {
    expect(place(inShop, 'shop').mistakes).toEqual([]);
    expect(place(inShop, 'art').mistakes).toEqual([
      'web.yaml: Deployment web: metadata.namespace: "shop" contradicts --namespace art',
    ]);
  });

  test('nothing may be there twice', () => {
    expect(place(`${good}---\n${inShop}---\n${ours}`).mistakes).toEqual([]);
    expect(place(`${good}---\n${good}`).mistakes).toEqual([
      'web.yaml: Deployment web: metadata.name: is in web.yaml already',
    ]);
  });

  test('what belongs to no namespace stays out of them', () => {
    const { placed, mistakes } = place(
      'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n',
      'art',
    );
    expect(mistakes).toEqual([]);
    expect(placed[0]?.object.metadata).toEqual({ name: 'shop' });
  });

  test('a ServiceAccount of a RoleBinding is in the same namespace unless it says otherwise', () => {
    const { placed } = place(`
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: view}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
subjects:
  - {kind: ServiceAccount, name: one}
  - {kind: ServiceAccount, name: two, namespace: art}
  - {kind: Group, name: three}
`);
    expect(placed[0]?.object).toMatchObject({
      subjects: [
        { kind: 'ServiceAccount', name: 'one', namespace: 'default' },
        { kind: 'ServiceAccount', name: 'two', namespace: 'art' },
        { kind: 'Group', name: 'three' },
      ],
    });
  });
});
