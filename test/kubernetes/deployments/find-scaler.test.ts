import { expect, test } from '@jest/globals';

import { findScaler } from '../../../src/kubernetes/deployments/find-scaler.js';
import type { FieldsOwner } from '../../../src/kubernetes/objects.js';

const owner = (manager: string, time: string, subresource?: string): FieldsOwner => ({
  manager,
  time,
  ...(subresource === undefined ? {} : { subresource }),
  fieldsV1: { 'f:spec': { 'f:replicas': {} } },
});

const apply = owner('kubectl', '2026-01-01T00:00:00Z');
const autoscaler = owner('kube-controller-manager', '2026-01-01T01:00:00Z', 'scale');
const status: FieldsOwner = {
  manager: 'kube-controller-manager',
  subresource: 'status',
  time: '2026-01-01T09:00:00Z',
  fieldsV1: { 'f:status': { 'f:replicas': {} } },
};

test.each<[string, FieldsOwner[], string]>([
  ['nobody', [], 'Manual'],
  ['whoever applied it', [apply, status], 'Manual'],
  ['an autoscaler', [apply, autoscaler, status], 'Autoscaler'],
  ['KEDA', [apply, owner('keda-operator', '2026-01-01T01:00:00Z', 'scale')], 'Autoscaler'],
  ['kubectl scale', [autoscaler, owner('kubectl', '2026-01-01T02:00:00Z', 'scale')], 'Manual'],
])('%s', (_title, managedFields, scaler) => {
  expect(findScaler({ metadata: { name: 'web', managedFields } })).toBe(scaler);
});
