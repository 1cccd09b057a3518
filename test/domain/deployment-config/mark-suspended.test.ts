import { expect, test } from '@jest/globals';

import { markSuspended } from '../../../src/domain/deployment-config/mark-suspended.js';
import { findCondition, type Condition } from '../../../src/domain/shared/conditions.js';

const nowMs = Date.parse('2026-01-01T12:00:00Z');
const laterMs = nowMs + 3_600_000;
const rollback = { from: 2, to: 1, config: true, application: true, by: 'ann' };
const progressing: Condition = { type: 'Progressing', status: 'True', reason: 'x' };
const find = (conditions: readonly Condition[]) => findCondition(conditions, 'TriggersSuspended');

const first = markSuspended([progressing], { name: 'web', rollback }, nowMs);

test('says since when, by which rollback, and what ends it', () => {
  expect(find(first)).toEqual({
    type: 'TriggersSuspended',
    status: 'True',
    reason: 'RolledBack',
    message:
      'rollback from version 2 to version 1 by ann: no trigger makes a version until "slipway resume-triggers dc/web"',
    lastUpdateTime: '2026-01-01T12:00:00Z',
    lastTransitionTime: '2026-01-01T12:00:00Z',
  });
  expect(first).toContain(progressing);
});

test('changes nothing when it is looked at again, also after another version', () => {
  expect(markSuspended(first, { name: 'web', rollback }, laterMs)).toBe(first);
  expect(markSuspended(first, { name: 'web' }, laterMs)).toBe(first);
});

test('tells of the newest rollback, and since when as before', () => {
  const again = markSuspended(
    first,
    { name: 'web', rollback: { ...rollback, from: 4, application: false } },
    laterMs,
  );
  expect(find(again)?.message).toContain('from version 4 to the config of version 1');
  expect(find(again)).toMatchObject({
    lastTransitionTime: '2026-01-01T12:00:00Z',
    lastUpdateTime: '2026-01-01T13:00:00Z',
  });
});

test('says so where somebody has set it by hand', () => {
  const byHand = find(markSuspended([], { name: 'web' }, nowMs));
  expect(byHand?.reason).toBe('Requested');
  expect(byHand?.message).toContain('spec.triggersSuspended is set');
});

test('goes away with the suspension', () => {
  expect(markSuspended(first, undefined, laterMs)).toEqual([progressing]);
});
