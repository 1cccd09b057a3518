import { describe, expect, test } from '@jest/globals';

import type { HookRecord } from '../../../src/domain/hook/observation.js';
import {
  readHookRecord,
  resetFailedHooks,
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
    expect(readHookRecord(holder(after), 'pre')).toEqual({ ended, tries });
    expect(Object.keys(reset)).toHaveLength(3);
  });
});
