import { expect, test } from '@jest/globals';

import { cancelReasons } from '../../../src/domain/deployment-config/cancel-reasons.js';
import { judgeVersionEnd } from '../../../src/domain/deployment-config/judge-version-end.js';
import type { ControllerSummary } from '../../../src/domain/deployment-config/observation.js';
import { controller, noStatus, versionObservation } from '../../support/versions.js';

const judge = (
  controllers: readonly ControllerSummary[],
  over: Parameters<typeof versionObservation>[1] = {},
) => judgeVersionEnd(versionObservation(controllers, { version: 2, ...over }));

test.each([
  ['New', { kind: 'underWay' }],
  ['Pending', { kind: 'underWay' }],
  ['Running', { kind: 'underWay' }],
  ['Complete', { kind: 'complete' }],
  ['Failed', { kind: 'failed', reason: 'no room' }],
] as const)('one that is %s', (phase, end) => {
  expect(judge([controller({ version: 2, phase, statusReason: 'no room' })])).toEqual(end);
});

test('one that somebody has cancelled, and one that was overtaken, which is marked alike', () => {
  const end = (statusReason: string) =>
    judge([controller({ version: 2, phase: 'Failed', isCancelled: true, statusReason })]);
  const reason = 'cancelled by ann';
  expect(end(reason)).toEqual({ kind: 'failed', reason, isCancelled: true });
  expect(end(cancelReasons.newerFound)).toEqual({
    kind: 'failed',
    reason: cancelReasons.newerFound,
  });
});

test('one that is asked for is awaited, and has failed when nobody asks any more', () => {
  const config = { latestVersion: 1, requestedVersion: 2 };
  expect(judge([], { config })).toEqual({ kind: 'awaited' });
  expect(judge([], { config: { latestVersion: 1 } })).toMatchObject({ kind: 'failed' });
});

test('one that is about to be made is awaited, unless the apiserver won’t have it', () => {
  const refused = {
    type: 'Progressing',
    status: 'False',
    reason: 'ReplicationControllerCreateError',
    message: 'quota exceeded',
  } as const;
  const status = { ...noStatus, conditions: [refused], observedGeneration: 1 };
  expect(judge([])).toEqual({ kind: 'awaited' });
  expect(judge([], { config: { status } })).toEqual({ kind: 'failed', reason: 'quota exceeded' });
  // That was found of the config as it was before.
  expect(judge([], { config: { status, generation: 2 } })).toEqual({ kind: 'awaited' });
});

test('one whose place was taken before it was there', () => {
  expect(judge([], { config: { latestVersion: 3 } })).toEqual({
    kind: 'failed',
    reason: 'version 3 has taken its place',
  });
});

test('one whose config is being deleted has failed, unless it was over', () => {
  const config = { beingDeleted: true };
  expect(judge([], { config })).toMatchObject({ kind: 'failed' });
  expect(judge([controller({ version: 2, phase: 'Running' })], { config })).toMatchObject({
    kind: 'failed',
  });
  expect(judge([controller({ version: 2 })], { config })).toEqual({ kind: 'complete' });
});
