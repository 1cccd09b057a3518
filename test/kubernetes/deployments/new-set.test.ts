import { expect, test } from '@jest/globals';

import { annotations } from '../../../src/kubernetes/deployments/annotations.js';
import { findNewSet, newSetName } from '../../../src/kubernetes/deployments/new-set.js';
import { hashAsWritten } from '../../../src/kubernetes/deployments/read-deployment.js';
import type { Deployment, PodTemplate, ReplicaSet } from '../../../src/kubernetes/objects.js';

const template = (image: string): PodTemplate => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image }] },
});

const deployment: Deployment = {
  metadata: { name: 'web' },
  spec: { selector: { matchLabels: { app: 'web' } }, template: template('a') },
};

const set = (
  name: string,
  image: string,
  more: Partial<ReplicaSet['metadata']> = {},
): ReplicaSet => ({
  metadata: { name, creationTimestamp: '2026-01-01T00:00:00Z', ...more },
  spec: { selector: {}, template: template(image) },
});

test('of several sets with that template, the oldest is the one', () => {
  const younger = set('a', 'a', { creationTimestamp: '2026-01-02T00:00:00Z' });
  const sets = [younger, set('b', 'a'), set('c', 'b')];
  expect(findNewSet(sets, deployment, template('a'))?.metadata.name).toBe('b');
  expect(findNewSet(sets, deployment, template('z'))).toBeUndefined();
});

test('where the whole template is not known, the set that was made for it is', () => {
  const made = set('a', 'with defaults', {
    annotations: { [annotations.templateHash]: hashAsWritten(deployment) },
  });
  expect(findNewSet([set('b', 'a'), made], deployment, undefined)).toBe(made);
});

test('a collision gives the next set another name', () => {
  const first = newSetName(deployment, template('a'));
  const collided: Deployment = { ...deployment, status: { collisionCount: 1 } };
  expect(first).toMatch(/^web-[a-z0-9]+$/);
  expect(newSetName(collided, template('a'))).not.toBe(first);
});
