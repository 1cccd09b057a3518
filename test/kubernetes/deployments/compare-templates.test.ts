import { expect, test } from '@jest/globals';

import { compareTemplates } from '../../../src/kubernetes/deployments/compare-templates.js';
import type { PodTemplate } from '../../../src/kubernetes/objects.js';

const before: PodTemplate = {
  metadata: { labels: { app: 'web', 'pod-template-hash': 'abc' } },
  spec: {
    containers: [{ name: 'web', image: 'web:1', env: [{ name: 'A', value: '1' }] }],
    initContainers: [{ name: 'migrate', image: 'migrate:1' }],
  },
};
const spec = before.spec ?? { containers: [] };
const [web] = spec.containers;
const restarted = { 'kubectl.kubernetes.io/restartedAt': '2026-01-01T00:00:00Z' };

test.each<[string, PodTemplate, string[]]>([
  ['nothing but the hash', { ...before, metadata: { labels: { app: 'web' } } }, []],
  [
    'an image',
    { ...before, spec: { ...spec, containers: [{ ...web, name: 'web', image: 'web:2' }] } },
    ['image'],
  ],
  [
    'an image of an init container',
    { ...before, spec: { ...spec, initContainers: [{ name: 'migrate', image: 'migrate:2' }] } },
    ['image'],
  ],
  [
    'a restart',
    { ...before, metadata: { ...before.metadata, annotations: restarted } },
    ['restart'],
  ],
  [
    'a variable',
    { ...before, spec: { ...spec, containers: [{ name: 'web', image: 'web:1' }] } },
    ['config'],
  ],
  [
    'an image and a variable',
    { ...before, spec: { ...spec, containers: [{ name: 'web', image: 'web:2' }] } },
    ['image', 'config'],
  ],
  ['a label', { ...before, metadata: { labels: { app: 'web', tier: 'front' } } }, ['config']],
])('%s', (_title, after, changes) => {
  expect(compareTemplates(before, after)).toEqual(changes);
});
