import { expect, test } from '@jest/globals';

import { describeEnd, type RunOncePod } from '../../../src/domain/shared/run-once-pod.js';

const pod = (over: Partial<RunOncePod>): RunOncePod => ({
  name: 'web-2-hook-pre',
  uid: 'uid-1',
  isOwn: true,
  state: 'Failed',
  createdAtMs: 0,
  isBeingDeleted: false,
  hasEnded: true,
  isHeld: true,
  ...over,
});

const gone = { isBeingDeleted: true } as const;

test.each<[string, Partial<RunOncePod>]>([
  ['succeeded with exit code 0', { state: 'Succeeded', exitCode: 0, reason: 'Completed' }],
  [
    'succeeded with exit code 0: 12 rows',
    { state: 'Succeeded', exitCode: 0, message: '12 rows\n' },
  ],
  ['failed with exit code 3: no table', { exitCode: 3, reason: 'Error', message: 'no table\n' }],
  ['failed with exit code 137 (OOMKilled)', { exitCode: 137, reason: 'OOMKilled' }],
  ['failed (Evicted): the node is full', { reason: 'Evicted', message: 'the node is full' }],
  ['failed', {}],
  ['was deleted while it ran', { ...gone, state: 'Running', reason: 'x', message: 'y' }],
  ['failed with exit code 143', { ...gone, exitCode: 143, reason: 'Error' }],
  [
    'was deleted before it ran (Unschedulable: no node is free)',
    { ...gone, state: 'Pending', reason: 'Unschedulable', message: 'no node is free' },
  ],
])('%s', (text, over) => {
  expect(describeEnd(pod(over))).toBe(text);
});

test('of a long log only the last lines are told', () => {
  const message = `${'first line\n'.repeat(200)}disk is full\n`;
  const text = describeEnd(pod({ exitCode: 1, message }));
  expect(text).toMatch(/^failed with exit code 1: first line\n/);
  expect(text).toMatch(/\ndisk is full$/);
  expect(text.length).toBeLessThan(450);
});
