import { describe, expect, test } from '@jest/globals';

import { isWaiting, markWaiting } from '../../../src/domain/deployment-config/mark-waiting.js';
import type { Condition } from '../../../src/domain/shared/conditions.js';

const nowMs = Date.parse('2026-01-01T12:00:00Z');
const now = '2026-01-01T12:00:00Z';
const before = '2026-01-01T00:00:00Z';
const progressing: Condition = {
  type: 'Progressing',
  status: 'True',
  reason: 'NewReplicationControllerAvailable',
  lastUpdateTime: before,
};
const web = { source: 'shop/web:latest', problem: 'there is no ImageRepository shop/web' };
const api = { source: 'shop/api:1' };

describe('a first version that waits', () => {
  const waiting = markWaiting({ latestVersion: 0, conditions: [] }, [web, api], nowMs);

  test('is neither on its way nor failed', () => {
    expect(waiting).toEqual([
      {
        type: 'Progressing',
        status: 'Unknown',
        reason: 'WaitingForImages',
        message:
          'no image is known yet for shop/web:latest (there is no ImageRepository shop/web), shop/api:1',
        lastUpdateTime: now,
        lastTransitionTime: now,
      },
    ]);
    expect(isWaiting(waiting)).toBe(true);
  });

  test('changes nothing as long as nothing changes', () => {
    const again = markWaiting(
      { latestVersion: 0, conditions: waiting },
      [web, api],
      nowMs + 60_000,
    );
    expect(again).toEqual(waiting);
  });

  test('says what is new', () => {
    const [condition] = markWaiting({ latestVersion: 0, conditions: waiting }, [api], nowMs);
    expect(condition).toMatchObject({ message: 'no image is known yet for shop/api:1' });
  });
});

describe('a later version that waits', () => {
  const waiting = markWaiting({ latestVersion: 2, conditions: [progressing] }, [api], nowMs);

  test('leaves what is said of the one before', () => {
    expect(waiting).toContainEqual(progressing);
    expect(waiting).toContainEqual(
      expect.objectContaining({ type: 'ImagesKnown', status: 'False', reason: 'WaitingForImages' }),
    );
  });

  test('says no more of it when it waits no more', () => {
    expect(markWaiting({ latestVersion: 2, conditions: waiting }, [], nowMs)).toEqual([
      progressing,
    ]);
  });
});

test('a config that never waited stays as it is', () => {
  const conditions = [progressing];
  expect(markWaiting({ latestVersion: 0, conditions }, [], nowMs)).toEqual(conditions);
  expect(isWaiting(conditions)).toBe(false);
});
