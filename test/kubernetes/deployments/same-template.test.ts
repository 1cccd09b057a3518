import { expect, test } from '@jest/globals';

import { sameTemplate, withoutHash } from '../../../src/kubernetes/deployments/same-template.js';
import type { PodTemplate } from '../../../src/kubernetes/objects.js';

const template = (image: string, labels: Record<string, string> = {}): PodTemplate => ({
  metadata: { labels: { app: 'web', ...labels } },
  spec: { containers: [{ name: 'web', image }] },
});

test('the label that tells the sets apart does not count', () => {
  expect(sameTemplate(template('a'), template('a', { 'pod-template-hash': 'x' }))).toBe(true);
  expect(withoutHash(template('a', { 'pod-template-hash': 'x' }))).toEqual(template('a'));
});

test('another image or label does', () => {
  expect(sameTemplate(template('a'), template('b'))).toBe(false);
  expect(sameTemplate(template('a'), template('a', { tier: 'front' }))).toBe(false);
});

test('a creation time that tools print as null does not count', () => {
  const printed = {
    ...template('a'),
    metadata: { labels: { app: 'web' }, creationTimestamp: null },
  };
  expect(sameTemplate(printed as unknown as PodTemplate, template('a'))).toBe(true);
});
