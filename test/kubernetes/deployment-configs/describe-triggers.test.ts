import { expect, test } from '@jest/globals';

import { describeTriggers } from '../../../src/kubernetes/deployment-configs/describe-triggers.js';
import type { ImageChangeParams } from '../../../src/kubernetes/deployment-configs/objects.js';

const imageChange = (params: Partial<ImageChangeParams>) => ({
  type: 'ImageChange' as const,
  imageChangeParams: { automatic: true, containerNames: ['web'], ...params },
});
const configChange = { type: 'ConfigChange' as const };

test('triggers that are left out are one on changes of the template', () => {
  expect(describeTriggers({})).toBe('config');
  expect(describeTriggers({ triggers: null })).toBe('config');
});

test('no triggers are none', () => {
  expect(describeTriggers({ triggers: [] })).toBe('');
});

test('each is named once, with the tag that it follows', () => {
  const triggers = [
    imageChange({ from: { kind: 'ImageStreamTag', name: 'web:latest' } }),
    configChange,
    imageChange({ repositoryName: 'registry.example.com/shop/db', tag: '15' }),
    imageChange({ repositoryName: 'registry.example.com/shop/log' }),
    configChange,
  ];
  expect(describeTriggers({ triggers })).toBe(
    'config,image(registry.example.com/shop/db:15),image(registry.example.com/shop/log:latest),image(web:latest)',
  );
});

test('what is suspended is told as such, and nothing where there is nothing', () => {
  expect(describeTriggers({ triggersSuspended: true })).toBe('config (suspended)');
  expect(describeTriggers({ triggersSuspended: true, triggers: [] })).toBe('');
  expect(describeTriggers({ triggersSuspended: false })).toBe('config');
});

test('a trigger that is not automatic starts nothing by itself', () => {
  const triggers = [imageChange({ automatic: false, from: { name: 'web:latest' } })];
  expect(describeTriggers({ triggers })).toBe('');
});
