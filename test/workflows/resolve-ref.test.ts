import { expect, test } from '@jest/globals';

import type { DeploymentInput } from '../../src/contracts/deployment.js';
import { resolveRef } from '../../src/workflows/deployment/resolve-ref.js';

const id = 'deployment/local/shop/web';
const ref = { cluster: 'local', namespace: 'shop', name: 'web', api: 'apps/v1' } as const;
const manifest = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } };

test.each([
  ['a reference', ref],
  ['a manifest', manifest],
  ['a manifest with its namespace', { ...manifest, metadata: { name: 'web', namespace: 'shop' } }],
])('%s and the workflow id agree', (_title, input) => {
  expect(resolveRef(input, id)).toEqual(ref);
});

test.each<[string, unknown, string, string]>([
  [
    'another name',
    { ...manifest, metadata: { name: 'db' } },
    id,
    'metadata.name: is "db", but the workflow id says "web"',
  ],
  ['another namespace', { ...ref, namespace: 'x' }, id, 'metadata.namespace: is "x"'],
  ['another cluster', { ...ref, cluster: 'x' }, id, 'cluster: is "x"'],
  ['another kind', { ...manifest, kind: 'Job' }, id, 'kind: must be Deployment, not "Job"'],
  [
    'another API',
    { ...manifest, apiVersion: 'v1' },
    id,
    'apiVersion: must be apps/v1 or slipway.dev/v1alpha1, not "v1"',
  ],
  ['no metadata', { apiVersion: 'apps/v1', kind: 'Deployment' }, id, 'metadata: is missing'],
  ['something else', { foo: 1 }, id, 'input: must be a Deployment manifest'],
  ['no input', undefined, id, 'input: must be a Deployment manifest'],
  ['an id of another form', ref, 'web', 'workflow id: "web" is not of the form'],
  ['an id with too many parts', ref, `${id}/more`, 'is not of the form'],
])('%s is refused', (_title, input, workflowId, sentence) => {
  expect(() => resolveRef(input as DeploymentInput, workflowId)).toThrow(sentence);
});
