import { describe, expect, test } from '@jest/globals';

import { describeEnd } from '../../../src/domain/shared/run-once-pod.js';
import type { Pod } from '../../../src/kubernetes/objects.js';
import { readRunOncePod } from '../../../src/kubernetes/run-once-pods/read-run-once-pod.js';

const at = (second: number): string => `2026-01-01T12:00:${String(second).padStart(2, '0')}Z`;

/** One that was started in second 0. */
const pod = (phase: string, metadata: object = {}, terminated?: object): Pod =>
  ({
    metadata: { name: 'web-2-hook-pre', uid: 'uid-1', creationTimestamp: at(0), ...metadata },
    status: {
      phase,
      containerStatuses: [
        { name: 'lifecycle', state: terminated === undefined ? { running: {} } : { terminated } },
      ],
    },
  }) as unknown as Pod;

const read = (...args: Parameters<typeof pod>) =>
  readRunOncePod(pod(...args), { name: 'web-2', uid: 'owner' });

/** Asked for in that second; the time by which it is to be gone moves with the grace that is left. */
const deleted = (second: number, grace: number) => ({
  deletionTimestamp: at(second + grace),
  deletionGracePeriodSeconds: grace,
});

describe('whose it is', () => {
  const of = (name: string, uid: string) => ({ ownerReferences: [{ name, uid }] });

  test.each([
    ['its own', of('web-2', 'owner'), { isOwn: true }],
    ['of an earlier one of that name', of('web-2', 'gone'), { isOwn: false, isLeftover: true }],
    ['of another', of('db-2', 'other'), { isOwn: false }],
    ['of nobody', {}, { isOwn: false }],
  ])('%s', (_whose, metadata, expected) => {
    const { isOwn, isLeftover } = read('Running', metadata);
    expect({ isOwn, ...(isLeftover && { isLeftover }) }).toEqual(expected);
  });
});

describe('a pod that runs once', () => {
  test.each(['Pending', 'Running', 'Succeeded', 'Failed'] as const)('is %s', (phase) => {
    expect(read(phase)).toMatchObject({
      state: phase,
      hasEnded: phase === 'Succeeded' || phase === 'Failed',
      isBeingDeleted: false,
    });
  });

  test('and that is deleted has ended when its grace is over', () => {
    expect(read('Running', deleted(5, 10))).toMatchObject({ hasEnded: false });
    expect(read('Running', deleted(5, 0))).toMatchObject({ hasEnded: true, state: 'Running' });
  });

  test.each([
    ['is deleted later has succeeded', 4, 'Succeeded'],
    ['is deleted in the same second has not', 5, 'Failed'],
    ['was deleted before has not', 7, 'Failed'],
  ])('and ends well, and %s', (_what, second, state) => {
    const terminated = { exitCode: 0, finishedAt: at(second) };
    for (const grace of [10, 0]) {
      expect(read('Succeeded', deleted(5, grace), terminated)).toMatchObject({
        state,
        hasEnded: true,
        exitCode: 0,
      });
    }
  });

  test('and does not say when it ended is believed that it has succeeded', () => {
    expect(read('Succeeded', deleted(5, 0), { exitCode: 0 })).toMatchObject({ state: 'Succeeded' });
  });
});

test.each([
  ['ended well because it was deleted', 0, 'was deleted while it ran'],
  ['failed because it was deleted', 143, 'failed with exit code 143'],
])('how a pod ended that %s', (_what, exitCode, text) => {
  const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
  expect(describeEnd(read(phase, deleted(5, 0), { exitCode, finishedAt: at(6) }))).toBe(text);
});
