import { describe, expect, test } from '@jest/globals';

import type { HookMoment } from '../../../src/domain/shared/hook.js';
import type { HookRecord } from '../../../src/domain/hook/observation.js';
import {
  readHookRecord,
  resetFailedHooks,
  resetStoppedHooks,
  writeHookRecord,
} from '../../../src/kubernetes/hooks/hook-record.js';

const holder = (annotations: Record<string, string>) => ({
  metadata: { name: 'web-2', annotations },
});

const record: HookRecord = {
  phase: 'Failed',
  pod: 'web-2-hook-pre-2',
  sinceMs: 1_000,
  ended: 2,
  endedAtMs: 9_000,
  reason: 'failed with exit code 1: no table',
  isStopping: true,
  wasStopped: true,
  resets: 2,
  tries: [
    { number: 1, pod: 'web-2-hook-pre', endedAtMs: 4_000, reason: 'Gone' },
    {
      number: 2,
      pod: 'web-2-hook-pre-2',
      startedAtMs: 5_000,
      endedAtMs: 9_000,
      exitCode: 1,
      reason: 'Error',
      tail: 'no table',
    },
  ],
};

describe('the record of a hook', () => {
  test('is read as it was written', () => {
    expect(readHookRecord(holder(writeHookRecord(record, 'pre')), 'pre')).toEqual(record);
    expect(readHookRecord(holder(writeHookRecord(record, 'pre')), 'post')).toEqual({ ended: 0 });
  });

  test('of an earlier worker has no tries', () => {
    const written = '{"ended":1,"sinceMs":1000,"endedAtMs":2000,"reason":"is gone"}';
    expect(readHookRecord(holder({ 'slipway.dev/hook.mid': written }), 'mid')).toEqual({
      ended: 1,
      sinceMs: 1_000,
      endedAtMs: 2_000,
      reason: 'is gone',
    });
  });

  test.each([
    ['nothing', '', undefined],
    ['no JSON', '{', undefined],
    ['no object', '3', undefined],
    ['no list', '{"tries": {"number": 1}}', undefined],
    ['no tries', '{"tries": [null, 3, {}, {"number": 1, "pod": "x"}]}', []],
    [
      'fields that mean something else',
      '{"tries": [{"number": 1, "pod": "x", "endedAtMs": 5, "exitCode": "1", "tail": 3}]}',
      [{ number: 1, pod: 'x', endedAtMs: 5 }],
    ],
  ])('that is %s does no harm', (_what, written, tries) => {
    const found = readHookRecord(holder({ 'slipway.dev/hook.pre': written }), 'pre');
    expect(found.ended).toBe(0);
    expect(found.tries).toEqual(tries);
  });

  test('keeps its tries when a failed hook is to run again', () => {
    const written = { ...writeHookRecord(record, 'pre'), 'slipway.dev/hook.post': '{"ended":1}' };
    const reset = resetFailedHooks(holder(written));
    const { ended, tries } = record;
    const after = Object.fromEntries(
      Object.entries(reset).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    );
    expect(readHookRecord(holder(after), 'pre')).toEqual({ ended, tries, resets: 3 });
    expect(Object.keys(reset)).toHaveLength(3);
  });

  const namesOf = (reset: Record<string, string | null>): string[] =>
    Object.keys(reset).filter((name) => name.startsWith('slipway.dev/hook.'));
  const written = (records: Partial<Record<HookMoment, Partial<HookRecord>>>) =>
    holder(
      Object.assign(
        {},
        ...Object.entries(records).map(([moment, over]) =>
          writeHookRecord({ ended: 1, ...over }, moment as HookMoment),
        ),
      ) as Record<string, string>,
    );

  test('of one that has succeeded stays, unless it was reverted since', () => {
    const pre = { phase: 'Succeeded' } as const;
    const mid = { phase: 'Failed' } as const;
    expect(namesOf(resetFailedHooks(written({ pre, mid })))).toEqual(['slipway.dev/hook.mid']);
    const lost = written({ pre, mid, abort: { phase: 'Failed' } });
    expect(namesOf(resetFailedHooks(lost))).not.toContain('slipway.dev/hook.pre');
    const reverted = written({ pre, mid, abort: { phase: 'Succeeded' } });
    expect(namesOf(resetFailedHooks(reverted))).toEqual([
      'slipway.dev/hook.pre',
      'slipway.dev/hook.mid',
      'slipway.dev/hook.abort',
    ]);
  });

  test('of one that failed by itself stays where only stopped ones are to run again', () => {
    const failed = { phase: 'Failed' } as const;
    const found = written({ pre: failed, post: { ...failed, wasStopped: true } });
    expect(namesOf(resetStoppedHooks(found))).toEqual(['slipway.dev/hook.post']);
  });
});
