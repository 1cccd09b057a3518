import { describe, expect, test } from '@jest/globals';

import { judgeImageRepository } from '../../../src/domain/images/judge-image-repository.js';
import {
  beginMemory,
  describeWish,
  isWorthWriting,
  planCheck,
  rememberCheck,
  type CheckMemory,
  type CheckObservation,
} from '../../../src/domain/images/plan-check.js';
import type { ImageRepositoryStatus } from '../../../src/domain/images/plan-image-repository.js';
import type { RegistryAnswer } from '../../../src/domain/images/registry-answer.js';
import { toTimestamp } from '../../../src/domain/shared/conditions.js';

const nowMs = Date.parse('2026-01-01T12:00:00Z');
const minuteMs = 60_000;
const digest = `sha256:${'a'.repeat(64)}`;

const wishFor = (tags: readonly string[]) =>
  judgeImageRepository({ repository: 'quay.io/app', tags }, []);

const known: ImageRepositoryStatus = {
  tags: ['stable', 'edge'].map((tag) => ({
    tag,
    image: `quay.io/app@${digest}`,
    digest,
    resolvedAt: '2026-01-01T00:00:00Z',
  })),
  conditions: [{ type: 'Ready', status: 'True', reason: 'Resolved' }],
  lastCheckedAt: toTimestamp(nowMs - 20_000),
};

const seen = (change: Partial<CheckObservation> = {}): CheckObservation => ({
  wish: wishFor(['stable', 'edge']),
  generation: 3,
  status: known,
  ...change,
});

const memory = (change: Partial<CheckMemory> = {}): CheckMemory => ({
  wish: describeWish(seen()),
  push: undefined,
  sinceMs: nowMs - 60 * minuteMs,
  spread: 0,
  ...change,
});

const atOnce = { kind: 'all', atMs: nowMs };
const pushOf = (tag: string, atMs = nowMs) => ({ text: `${tag} ${atMs}`, tag, atMs });

describe('the next check', () => {
  test('comes an interval after the last one', () => {
    expect(planCheck(seen(), memory(), nowMs)).toEqual({ kind: 'all', atMs: nowMs + 40_000 });
  });

  test('is put off by up to a tenth of the interval', () => {
    const check = planCheck(seen(), memory({ spread: 0.5 }), nowMs);
    expect(check).toEqual({ kind: 'all', atMs: nowMs + 43_000 });
  });

  test('counts from what is remembered where the status was not written', () => {
    const recent = memory({ lastCheckedMs: nowMs - 5_000 });
    expect(planCheck(seen(), recent, nowMs)).toEqual({ kind: 'all', atMs: nowMs + 55_000 });
  });

  test('comes at once for another spec, and for another tag', () => {
    expect(planCheck(seen({ generation: 4 }), memory(), nowMs)).toEqual(atOnce);
    const more = seen({ wish: wishFor(['stable', 'edge', 'next']) });
    expect(planCheck(more, memory(), nowMs)).toEqual(atOnce);
  });

  test('comes at once, and not put off, for what was never checked', () => {
    const fresh = seen({ status: { tags: [], conditions: [] } });
    expect(planCheck(fresh, memory({ spread: 1 }), nowMs)).toEqual(atOnce);
  });

  test('never comes again for a spec that is known to be wrong, or asks for nothing', () => {
    for (const wish of [judgeImageRepository({ repository: 'a b' }, []), wishFor([])]) {
      const observation = seen({ wish });
      const remembered = memory({ wish: describeWish(observation) });
      expect(planCheck(observation, remembered, nowMs)).toEqual({ kind: 'none' });
      expect(planCheck(observation, memory({ wish: undefined }), nowMs)).toEqual(atOnce);
    }
  });
});

describe('a push', () => {
  test('has its tag asked for before anything else', () => {
    const observation = seen({ push: pushOf('edge'), generation: 4 });
    expect(planCheck(observation, memory(), nowMs)).toEqual({ kind: 'tag', tag: 'edge' });
  });

  test('is followed once', () => {
    const push = pushOf('edge');
    const check = planCheck(seen({ push }), memory({ push: push.text }), nowMs);
    expect(check).toEqual({ kind: 'all', atMs: nowMs + 40_000 });
  });

  test('of a tag that nobody follows, or that is not told, may hide another one', () => {
    expect(planCheck(seen({ push: pushOf('other') }), memory(), nowMs)).toEqual(atOnce);
    expect(planCheck(seen({ push: { text: 'what?' } }), memory(), nowMs)).toEqual(atOnce);
  });

  test('is nothing to a repository of which nothing is asked', () => {
    const observation = seen({ wish: wishFor([]), push: pushOf('edge') });
    const remembered = memory({ wish: describeWish(observation) });
    expect(planCheck(observation, remembered, nowMs)).toEqual({ kind: 'none' });
  });
});

describe('a push that the registry does not know of yet', () => {
  const old = digest;
  const pushed = `sha256:${'b'.repeat(64)}`;
  const push = { ...pushOf('edge'), digest: pushed };
  const observation = seen({ push });
  const after = (
    before: CheckMemory,
    found: string | undefined,
    { atMs = nowMs, isAll = true, isRefused = false } = {},
  ): CheckMemory => {
    const none: RegistryAnswer = isRefused
      ? { kind: 'refused', problem: 'no' }
      : { kind: 'missing' };
    const answer: RegistryAnswer = found === undefined ? none : { kind: 'found', digest: found };
    return rememberCheck(before, {
      seen: observation,
      answers: [{ tag: 'edge', answer }],
      checkedAllMs: isAll ? atMs : undefined,
      nowMs: atMs,
      spread: 0,
    });
  };

  test.each([
    ['knows nothing of the tag', undefined],
    ['still has another image by it', old],
  ])('is asked for again soon where it %s', (_what, found) => {
    const first = after(memory(), found, { isAll: false });
    // The other tags come first, at once, and that one with them.
    expect(planCheck(observation, first, nowMs)).toEqual(atOnce);
    const second = after(first, found);
    expect(planCheck(observation, second, nowMs)).toEqual({ kind: 'all', atMs: nowMs + 500 });
    const third = after(second, found, { atMs: nowMs + 500 });
    expect(planCheck(observation, third, nowMs)).toEqual({ kind: 'all', atMs: nowMs + 1_500 });
  });

  test('is nothing more to ask for once it is known', () => {
    const doubtful = after(memory(), old);
    expect(doubtful.doubt).toBeDefined();
    const known = after(doubtful, pushed);
    expect(known.doubt).toBeUndefined();
    expect(planCheck(observation, known, nowMs)).toEqual({
      kind: 'all',
      atMs: nowMs + minuteMs,
    });
  });

  test('is given up after some seconds, as what somebody merely claims', () => {
    let remembered = memory();
    let atMs = nowMs;
    let looks = 0;
    while (remembered.doubt !== undefined || looks === 0) {
      atMs = remembered.doubt?.atMs ?? atMs;
      remembered = after(remembered, old, { atMs });
      looks += 1;
    }
    expect([looks, atMs - nowMs]).toEqual([7, 15_750]);
    // Then it is the interval that counts, from the whole second of the last look.
    expect(planCheck(observation, remembered, atMs)).toEqual({
      kind: 'all',
      atMs: nowMs + 15_000 + minuteMs,
    });
  });

  test('is asked for anew where another was in doubt before', () => {
    const other = { push: 'another', looks: 5, atMs: nowMs };
    expect(after(memory({ doubt: other }), old).doubt).toMatchObject({ looks: 1 });
  });

  test('is no reason to press a registry that will not answer', () => {
    expect(after(memory(), undefined, { isRefused: true }).doubt).toBeUndefined();
  });

  test('keeps being in doubt while only others are asked for', () => {
    const doubtful = after(memory(), old);
    const made = { seen: observation, answers: [], checkedAllMs: undefined, nowMs, spread: 0 };
    expect(rememberCheck(doubtful, made).doubt).toEqual(doubtful.doubt);
  });
});

describe('who begins to plan checks', () => {
  const begin = (change: Partial<CheckObservation> = {}, observedGeneration = 3, spread = 0) => {
    const observation = seen(change);
    const remembered = beginMemory({ ...observation, observedGeneration }, nowMs, spread);
    return planCheck(observation, remembered, nowMs);
  };

  test('goes on where the one before was', () => {
    expect(begin()).toEqual({ kind: 'all', atMs: nowMs + 40_000 });
  });

  test('spreads out what is overdue from now on', () => {
    const status = { ...known, lastCheckedAt: toTimestamp(nowMs - 60 * minuteMs) };
    expect(begin({ status }, 3, 0.5)).toEqual({ kind: 'all', atMs: nowMs + 3_000 });
  });

  test('asks at once where the spec has changed meanwhile', () => {
    expect(begin({}, 2)).toEqual(atOnce);
  });

  test('follows a push that came after the last check, and no other', () => {
    const late = pushOf('edge', nowMs - 10_000);
    expect(begin({ push: late })).toEqual({ kind: 'tag', tag: 'edge' });
    const early = pushOf('edge', nowMs - minuteMs);
    expect(begin({ push: early })).toEqual({ kind: 'all', atMs: nowMs + 40_000 });
    const unknown = { ...early, digest: `sha256:${'b'.repeat(64)}` };
    expect(begin({ push: unknown })).toEqual({ kind: 'tag', tag: 'edge' });
    expect(begin({ push: { ...early, digest } })).toMatchObject({ kind: 'all' });
    expect(begin({ push: { text: 'when?', tag: 'edge' } })).toEqual({ kind: 'tag', tag: 'edge' });
  });
});

describe('a status', () => {
  const checked = (agoMs: number): ImageRepositoryStatus => ({
    ...known,
    lastCheckedAt: toTimestamp(nowMs - agoMs),
  });

  test('is not written for the time of a check alone, more than once a minute', () => {
    expect(isWorthWriting(checked(59_000), checked(0))).toBe(false);
    expect(isWorthWriting(checked(60_000), checked(0))).toBe(true);
    expect(isWorthWriting(checked(0), checked(0))).toBe(false);
  });

  test('is written where it says a time to come, or none', () => {
    expect(isWorthWriting(checked(-90_000), checked(0))).toBe(true);
    const { lastCheckedAt: _none, ...never } = known;
    expect(isWorthWriting(never, checked(0))).toBe(true);
  });

  test('is written whenever it says something new', () => {
    expect(isWorthWriting(checked(1_000), { ...checked(0), tags: known.tags.slice(1) })).toBe(true);
    expect(isWorthWriting(checked(1_000), { ...checked(0), conditions: [] })).toBe(true);
  });
});
