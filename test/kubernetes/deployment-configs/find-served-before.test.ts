import { expect, test } from '@jest/globals';

import { findServedBefore } from '../../../src/kubernetes/deployment-configs/find-served-before.js';
import type { ReplicationController } from '../../../src/kubernetes/deployment-configs/objects.js';
import { config, version } from '../../client/support/configs.js';

const nameBefore = (number: number, ...versions: ReplicationController[]): string => {
  const seen = (name: string) => versions.find(({ metadata }) => metadata.name === name);
  const found = findServedBefore(config(), number, seen);
  return found === 'none' ? found : found.metadata.name;
};
const failed = (number: number) => version(number, { phase: 'Failed' });

test('the last complete version below', () => {
  expect(nameBefore(3, version(1), version(2), version(4))).toBe('web-2');
  expect(nameBefore(4, version(1), failed(2), failed(3))).toBe('web-1');
  expect(nameBefore(4, version(1), failed(3))).toBe('web-1');
});

test('none, where none was complete', () => {
  expect(nameBefore(1)).toBe('none');
  expect(nameBefore(3, failed(1), failed(2))).toBe('none');
});

test('not one of another config of that name, which is gone', () => {
  const other = version(1);
  other.metadata.ownerReferences = [
    { apiVersion: 'apps.openshift.io/v1', kind: 'DeploymentConfig', name: 'web', uid: 'old-uid' },
  ];
  expect(nameBefore(2, other)).toBe('none');
});
