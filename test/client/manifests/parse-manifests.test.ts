import { describe, expect, test } from '@jest/globals';

import { parseManifests, titleOf } from '../../../src/client/manifests/parse-manifests.js';

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
    const { drafts, mistakes } = parse(`---\n${good}---\n# nothing\n---\n${json}\n`);
    expect(mistakes).toEqual([]);
    expect(drafts.map(titleOf)).toEqual(['web.yaml: Deployment web', 'web.yaml: Deployment api']);
    expect(drafts[1]?.object.apiVersion).toBe('slipway.dev/v1alpha1');
  });

  test('takes Lists in Lists, and Templates in Lists, apart', () => {
    const service = (name: string) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name } });
    const list = (...items: object[]) => ({ apiVersion: 'v1', kind: 'List', items });
    const template = {
      apiVersion: 'template.openshift.io/v1',
      kind: 'Template',
      metadata: { name: 'shop' },
      objects: [list(service('c-${SUFFIX}'))],
      parameters: [{ name: 'SUFFIX', value: 'x' }],
      labels: { from: 'shop' },
    };
    const text = JSON.stringify(list(service('a'), list(service('b')), list(list(template))));
    const { drafts, mistakes } = parse(text);
    expect(mistakes).toEqual([]);
    expect(drafts.map(({ object }) => object.metadata)).toEqual([
      { name: 'a' },
      { name: 'b' },
      { name: 'c-x', labels: { from: 'shop' } },
    ]);
  });

  test('a mistake deep inside is found by its path', () => {
    const text = JSON.stringify({
      apiVersion: 'v1',
      kind: 'List',
      items: [{ apiVersion: 'v1', kind: 'List', items: [{ apiVersion: 'v1', kind: 'Service' }] }],
    });
    expect(parse(text).mistakes).toEqual([
      'web.yaml: items[0]: items[0]: Service: metadata.name: is required',
    ]);
  });

  test('leaves out what only the cluster writes', () => {
    const text = `
apiVersion: v1
kind: Service
metadata: {name: web, uid: 1-2, resourceVersion: "7", creationTimestamp: null, labels: {app: web}}
spec: {ports: [{port: 80}]}
status: {loadBalancer: {}}
`;
    expect(parse(text).drafts[0]?.object).toEqual({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', labels: { app: 'web' } },
      spec: { ports: [{ port: 80 }] },
    });
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
      'apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: migrate-}\n',
      'web.yaml: Job: metadata.generateName: each deploy would create one more: give it a metadata.name',
    ],
    ['a: 1\na: 2\n', 'web.yaml: line 2: Map keys must be unique'],
    ['a: {b: 1\nc: 2\n', expect.stringMatching(/^web.yaml: line \d+: \S[^\n]*$/)],
  ])('%j', (text, sentence) => {
    const { drafts, mistakes } = parse(text);
    expect(mistakes).toEqual([sentence]);
    expect(drafts).toEqual([]);
  });

  test('tells which document of several is wrong', () => {
    const { mistakes } = parse(`${good}---\nkind: Deployment\n---\n${good}`);
    expect(mistakes).toEqual(['web.yaml: document 2: apiVersion: is required']);
  });

  test('reads YAML as Kubernetes does', () => {
    const text = `${good}spec: {mode: 0644, flag: on, date: 2026-01-01, time: 12:30:45}\n`;
    expect(parse(text).drafts[0]?.object).toMatchObject({
      spec: { mode: 0o644, flag: true, date: '2026-01-01', time: '12:30:45' },
    });
  });
});
