import { describe, expect, test } from '@jest/globals';

import { parseManifests, titleOf } from '../../../src/client/manifests/parse-manifests.js';
import { placeManifests } from '../../../src/client/manifests/place-manifests.js';

const parse = (text: string, name = 'web.yaml') => parseManifests([{ name, text }]);
const good = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n';

describe('parseManifests', () => {
  test('takes documents, JSON and lists, and skips what is empty', () => {
    const json = JSON.stringify({
      apiVersion: 'v1',
      kind: 'List',
      items: [
        { apiVersion: 'slipway.dev/v1alpha1', kind: 'Deployment', metadata: { name: 'api' } },
      ],
    });
    const { manifests, mistakes } = parse(`---\n${good}---\n# nothing\n---\n${json}\n`);
    expect(mistakes).toEqual([]);
    expect(manifests.map(titleOf)).toEqual([
      'web.yaml: Deployment web',
      'web.yaml: Deployment api',
    ]);
    expect(manifests[1]?.type.apiVersion).toBe('slipway.dev/v1alpha1');
  });

  test.each([
    ['', 'web.yaml: there is nothing to deploy'],
    ['# only a comment\n', 'web.yaml: there is nothing to deploy'],
    ['hello\n', 'web.yaml: a Kubernetes object should be a map of fields'],
    ['kind: Deployment\n', 'web.yaml: apiVersion: is required'],
    ['apiVersion: apps/v1\n', 'web.yaml: kind: is required'],
    [
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {}\n',
      'web.yaml: Deployment: metadata.name: is required',
    ],
    [
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: 5}\n',
      'web.yaml: Deployment: metadata.name: is required',
    ],
    [
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: 5}\n',
      'web.yaml: Deployment web: metadata.namespace: must be a name',
    ],
    [
      'apiVersion: v1\nkind: Service\nmetadata: {name: web}\n',
      "web.yaml: Service web: kind: Slipway doesn't deploy Service of v1, only Deployment",
    ],
    [
      'apiVersion: apps/v1beta1\nkind: Deployment\nmetadata: {name: web}\n',
      'web.yaml: Deployment web: apiVersion: "apps/v1beta1" should be slipway.dev/v1alpha1 or apps/v1',
    ],
    ['a: 1\na: 2\n', 'web.yaml: line 2: Map keys must be unique'],
    ['a: {b: 1\nc: 2\n', expect.stringMatching(/^web.yaml: line \d+: \S[^\n]*$/)],
  ])('%j', (text, sentence) => {
    const { manifests, mistakes } = parse(text);
    expect(mistakes).toEqual([sentence]);
    expect(manifests).toEqual([]);
  });

  test('tells which document of several is wrong', () => {
    const { mistakes } = parse(`${good}---\nkind: Deployment\n---\n${good}`);
    expect(mistakes).toEqual(['web.yaml: document 2: apiVersion: is required']);
  });

  test('reads YAML as Kubernetes does', () => {
    const text = `${good}spec: {mode: 0644, flag: on, date: 2026-01-01, time: 12:30:45}\n`;
    expect(parse(text).manifests[0]?.object).toMatchObject({
      spec: { mode: 0o644, flag: true, date: '2026-01-01', time: '12:30:45' },
    });
  });
});

describe('placeManifests', () => {
  const place = (text: string, required?: string) =>
    placeManifests(parse(text).manifests, { namespace: required ?? 'default', required });
  const inShop = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\n';
  const ours = inShop.replace('apps/v1', 'slipway.dev/v1alpha1');

  test('an object that names no namespace gets one', () => {
    expect(place(good).placed[0]?.object.metadata.namespace).toBe('default');
    expect(place(good, 'art').placed[0]?.object.metadata.namespace).toBe('art');
    expect(place(inShop).placed[0]?.object.metadata.namespace).toBe('shop');
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
});
