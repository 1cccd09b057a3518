import { describe, expect, test } from '@jest/globals';

import { beginStay, tellStay, type Stay } from '../../../src/domain/shared/stay.js';

const stay = (revision: number, over: Partial<Stay> = {}): Stay => ({
  revision,
  startedAt: '2026-01-01T12:00:00.000Z',
  triggers: ['NewImage'],
  ...over,
});
const at = '2026-01-01T12:05:00.000Z';

describe('a stay begins', () => {
  test('behind those before', () => {
    expect(beginStay([stay(1)], stay(3))).toEqual([stay(1), stay(3)]);
  });

  test('once, also when it is written twice', () => {
    const once = beginStay([stay(1)], stay(3));
    expect(beginStay(once, stay(3))).toEqual(once);
  });

  test('and the one before keeps the change-cause that it had', () => {
    const before = [stay(1), stay(3)];
    const after = beginStay(before, stay(5), 'new keys');
    expect(after).toEqual([stay(1), stay(3, { cause: 'new keys' }), stay(5)]);
    expect(beginStay(after, stay(5), 'other')).toEqual(after);
    expect(beginStay([], stay(1), 'new keys')).toEqual([stay(1)]);
  });

  test('and the oldest of more than ten goes', () => {
    const many = Array.from({ length: 12 }, (_, index) => index + 1);
    const stays = many.reduce<readonly Stay[]>(
      (before, number) => beginStay(before, stay(number)),
      [],
    );
    expect(stays.map(({ revision }) => revision)).toEqual(many.slice(-10));
  });

  test('with texts that leave room for others', () => {
    const [kept] = beginStay([], stay(1, { reason: 'x'.repeat(5_000), by: 'ann' }));
    expect(kept?.by).toBe('ann');
    expect(kept?.reason).toBe(`${'x'.repeat(399)}…`);
  });
});

describe('a stay ends', () => {
  test('of that revision alone', () => {
    const told = tellStay([stay(1), stay(3)], 3, { kind: 'ended', end: 'Complete', at });
    expect(told).toEqual([stay(1), stay(3, { end: 'Complete', endedAt: at })]);
    expect(tellStay(told, 9, { kind: 'goesOn' })).toEqual(told);
  });

  test('for a reason and by somebody', () => {
    const news = { kind: 'ended', end: 'Cancelled', at, reason: 'wrong one', by: 'ann' } as const;
    expect(tellStay([stay(1)], 1, news)).toEqual([
      stay(1, { end: 'Cancelled', endedAt: at, endReason: 'wrong one', endedBy: 'ann' }),
    ]);
  });

  test('otherwise than it seemed at first', () => {
    const failed = stay(1, { end: 'Failed', endedAt: '2026-01-01T12:01:00.000Z', endReason: 'a' });
    const news = { kind: 'ended', end: 'RolledBack', at, reason: 'b' } as const;
    expect(tellStay([failed], 1, news)).toEqual([
      stay(1, { end: 'RolledBack', endedAt: at, endReason: 'b' }),
    ]);
  });

  test.each([
    ['Failed', 'it had failed before: it made no progress'],
    ['Cancelled', 'it had been cancelled before: it made no progress'],
    ['RolledBack', 'it had been rolled back before: it made no progress'],
    ['Overtaken', 'it had been overtaken before: it made no progress'],
  ] as const)('not yet, when one that was %s is taken up again', (end, endReason) => {
    const ended = stay(1, { end, endedAt: at, endReason: 'it made no progress', endedBy: 'ann' });
    const again = tellStay([ended], 1, { kind: 'goesOn' });
    expect(again).toEqual([stay(1, { endReason })]);
    expect(tellStay(again, 1, { kind: 'ended', end: 'Complete', at })).toEqual([
      stay(1, { end: 'Complete', endedAt: at, endReason }),
    ]);
  });

  test('and one that has not is not taken up again', () => {
    expect(tellStay([stay(1)], 1, { kind: 'goesOn' })).toEqual([stay(1)]);
  });
});
