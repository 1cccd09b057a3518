import { describe, expect, test } from '@jest/globals';

import type {
  HookObservation,
  HookRefusal,
  HookTry,
} from '../../../src/domain/hook/observation.js';
import { planHook } from '../../../src/domain/hook/plan-hook.js';
import type { RunOncePod } from '../../../src/domain/shared/run-once-pod.js';

const nowMs = Date.parse('2026-01-01T12:00:00Z');

const pod = (over: Partial<RunOncePod> = {}): RunOncePod => ({
  name: 'web-2-hook-pre',
  uid: 'uid-1',
  isOwn: true,
  state: 'Running',
  createdAtMs: nowMs - 5_000,
  startedAtMs: nowMs - 4_000,
  isBeingDeleted: false,
  hasEnded: over.state === 'Succeeded' || over.state === 'Failed',
  isHeld: true,
  ...over,
});

const tried = (number: number, over: Partial<RunOncePod> = {}): HookTry => {
  const suffix = number === 1 ? '' : `-${number}`;
  return { number, pod: pod({ name: `web-2-hook-pre${suffix}`, uid: `uid-${number}`, ...over }) };
};

const look = (over: Partial<HookObservation> = {}): HookObservation => ({
  observedAtMs: nowMs,
  deployment: 'web-2',
  moment: 'pre',
  policy: 'Abort',
  deadlineSeconds: 60,
  isWanted: true,
  record: { ended: 0 },
  tries: [],
  ...over,
});

const invalid: HookRefusal = { problem: 'spec.volumes: no such volume', mayPass: false };
const forbidden: HookRefusal = { problem: 'exceeded quota', mayPass: true };

/** What a plan does, in short; events are left out. */
const stepsOf = (seen: HookObservation, refusal?: HookRefusal): readonly string[] =>
  planHook(seen, refusal).actions.flatMap((action) => {
    switch (action.kind) {
      case 'createTry':
        return [`start ${action.pod}`];
      case 'deletePod':
        return [`delete ${action.name}`];
      case 'releasePod':
        return [`let go ${action.name}`];
      case 'note': {
        const { phase = 'none', ended, reason } = action.record;
        return [`note ${phase} after ${ended}${reason === undefined ? '' : `: ${reason}`}`];
      }
      case 'announce':
        return [];
    }
  });

const failed = { state: 'Failed', exitCode: 1, message: 'no table\n', endedAtMs: nowMs } as const;

describe('a hook', () => {
  test('runs in a pod of its own, and what it is at is noted', () => {
    expect(stepsOf(look())).toEqual(['note Pending after 0', 'start web-2-hook-pre']);
    expect(stepsOf(look({ tries: [tried(1, { state: 'Pending' })] }))).toEqual([
      'note Pending after 0',
    ]);
    expect(stepsOf(look({ tries: [tried(1)] }))).toEqual(['note Running after 0']);
    const record = { phase: 'Running', pod: 'web-2-hook-pre', ended: 0 } as const;
    const waiting = planHook(look({ tries: [tried(1)], record }));
    expect(waiting).toMatchObject({ actions: [], next: { untilMs: nowMs - 5_000 + 60_000 } });
  });

  test.each(['Retry', 'Abort', 'Continue'] as const)('that succeeds is over, with %s', (policy) => {
    const tries = [tried(1, { state: 'Succeeded', exitCode: 0 })];
    expect(stepsOf(look({ policy, tries }))).toEqual(['note Succeeded after 1']);
    const record = { phase: 'Succeeded', pod: 'web-2-hook-pre', ended: 1 } as const;
    expect(stepsOf(look({ policy, tries, record }))).toEqual(['let go web-2-hook-pre']);
    const gone = look({ policy, record });
    expect(planHook(gone)).toMatchObject({ actions: [], next: { kind: 'end' } });
  });

  test.each(['Abort', 'Continue'] as const)('that fails is over, with %s', (policy) => {
    expect(stepsOf(look({ policy, tries: [tried(1, failed)] }))).toEqual([
      'note Failed after 1: pod web-2-hook-pre failed with exit code 1: no table',
    ]);
  });

  test('that is deleted has failed', () => {
    const tries = [tried(1, { isBeingDeleted: true, hasEnded: true })];
    expect(stepsOf(look({ tries }))).toEqual([
      'note Failed after 1: pod web-2-hook-pre was deleted while it ran',
    ]);
  });

  test('that was there and is gone without a trace is not run again', () => {
    const record = { phase: 'Running', pod: 'web-2-hook-pre', ended: 0 } as const;
    expect(stepsOf(look({ record }))).toEqual(['note Failed after 0: pod web-2-hook-pre is gone']);
    const retried = stepsOf(look({ record, policy: 'Retry' }));
    expect(retried).toEqual(['note Pending after 1: is gone']);
  });

  test('whose pod is somebody else’s fails', () => {
    const [step] = stepsOf(look({ tries: [tried(1, { isOwn: false })] }));
    expect(step).toMatch(/^note Failed .* is there already and is not of this hook/);
  });
});

describe('with Retry', () => {
  const policy = 'Retry';
  const record = {
    phase: 'Pending',
    pod: 'web-2-hook-pre',
    sinceMs: nowMs - 5_000,
    ended: 1,
    endedAtMs: nowMs - 500,
    reason: 'failed with exit code 1',
  } as const;

  test('a failure is noted and let go before another try is made', () => {
    expect(stepsOf(look({ policy, tries: [tried(1, failed)] }))).toEqual([
      'note Pending after 1: failed with exit code 1: no table',
    ]);
    const waiting = look({ policy, record, tries: [tried(1, failed)] });
    expect(stepsOf(waiting)).toEqual(['let go web-2-hook-pre']);
    expect(planHook(waiting).next).toEqual({ kind: 'wait', untilMs: nowMs + 500 });
  });

  test('the next try comes after a while that grows', () => {
    const due = { ...record, endedAtMs: nowMs - 1_000 };
    expect(stepsOf(look({ policy, record: due }))).toEqual(['start web-2-hook-pre-2']);
    const third = { ...record, ended: 2, endedAtMs: nowMs - 1_999, pod: 'web-2-hook-pre-2' };
    expect(stepsOf(look({ policy, record: third }))).toEqual([]);
    const late = { ...third, endedAtMs: nowMs - 2_000 };
    expect(stepsOf(look({ policy, record: late }))).toEqual(['start web-2-hook-pre-3']);
  });

  test('a further try may succeed', () => {
    const tries = [tried(1, { ...failed, isHeld: false }), tried(2, { state: 'Succeeded' })];
    expect(stepsOf(look({ policy, record, tries }))).toEqual(['note Succeeded after 2']);
  });

  test('it ends when its time is up, over all tries', () => {
    const old = { ...record, sinceMs: nowMs - 60_000 };
    expect(stepsOf(look({ policy, record: old }))).toEqual([
      'note Failed after 1: it did not succeed within 60 s; its last try failed with exit code 1',
    ]);
    const running = look({ policy, record: old, tries: [tried(2)] });
    expect(stepsOf(running)).toEqual(['delete web-2-hook-pre-2']);
    const ended = tried(2, { isBeingDeleted: true, hasEnded: true });
    expect(stepsOf(look({ policy, record: old, tries: [ended] }))).toEqual([
      'note Failed after 2: it did not succeed within 60 s; its last try was deleted while it ran',
    ]);
  });

  test('only the last pods are kept', () => {
    const ended = { ...failed, isHeld: false };
    const tries = [1, 2, 3, 4].map((number) => tried(number, ended));
    const many = { ...record, ended: 4, pod: 'web-2-hook-pre-4' };
    expect(stepsOf(look({ policy, record: many, tries }))).toEqual(['delete web-2-hook-pre']);
  });
});

describe('a hook that never runs', () => {
  test('is ended when its time is up, and says what kept it', () => {
    const waiting = {
      state: 'Pending',
      createdAtMs: nowMs - 60_000,
      reason: 'Unschedulable',
    } as const;
    expect(stepsOf(look({ tries: [tried(1, waiting)] }))).toEqual(['delete web-2-hook-pre']);
    const gone = { ...waiting, isBeingDeleted: true, hasEnded: true };
    const [step] = stepsOf(look({ tries: [tried(1, gone)] }));
    expect(step).toMatch(/^note Failed after 1: it did not succeed within 60 s/);
  });
});

test.each([
  ['that the apiserver will not have', {}, invalid],
  ['that the apiserver never will have', { policy: 'Retry' } as const, invalid],
  ['that may not run now', {}, forbidden],
  ['that nobody can run', { problem: 'it has tagImages' }, undefined],
])('a hook %s fails', (_what, over, refusal) => {
  expect(planHook(look(over), refusal).actions[0]).toMatchObject({
    kind: 'note',
    record: { phase: 'Failed', reason: refusal?.problem ?? 'it has tagImages' },
  });
});

describe('a hook with Retry that may not run now', () => {
  const policy = 'Retry';
  const record = { phase: 'Pending', ended: 0 } as const;

  test('has failed a try, and is tried again after a while', () => {
    const [note] = planHook(look({ policy, record }), forbidden).actions;
    const reason = 'could not be made: exceeded quota';
    const noted = {
      phase: 'Pending',
      pod: 'web-2-hook-pre',
      sinceMs: nowMs,
      ended: 1,
      endedAtMs: nowMs,
      reason,
      tries: [
        {
          number: 1,
          pod: 'web-2-hook-pre',
          endedAtMs: nowMs,
          reason: 'Refused',
          tail: 'exceeded quota',
        },
      ],
    } as const;
    expect(note).toEqual({ kind: 'note', record: noted });
    const waiting = planHook(look({ policy, record: noted }));
    expect(waiting).toMatchObject({ actions: [], next: { untilMs: nowMs + 1_000 } });
    const due = look({ policy, record: noted, observedAtMs: nowMs + 1_000 });
    expect(stepsOf(due)).toEqual(['start web-2-hook-pre-2']);
  });

  test('fails when its time is up', () => {
    const late = { ...record, ended: 3, sinceMs: nowMs - 60_000 };
    expect(stepsOf(look({ policy, record: late }), forbidden)).toEqual([
      'note Failed after 3: it did not succeed within 60 s; its last try could not be made: exceeded quota',
    ]);
  });
});

describe('a pod of that name that is of somebody else', () => {
  const alien = (over: Partial<RunOncePod>) => tried(1, { isOwn: false, ...over });

  test('is in the way', () => {
    expect(stepsOf(look({ tries: [alien({})] }))).toEqual([
      'note Failed after 0: pod web-2-hook-pre is there already and is not of this hook',
    ]);
  });

  test.each([
    ['is being deleted', { isBeingDeleted: true }],
    ['was left over by a deployment of the same name', { isLeftover: true }],
  ])('is waited for where it %s', (_what, over) => {
    const plan = planHook(look({ tries: [alien(over)] }));
    expect(plan).toMatchObject({ phase: 'Pending', actions: [], next: { kind: 'wait' } });
    expect(stepsOf(look({ tries: [alien(over)], isWanted: false }))).toEqual([
      'note Failed after 0: its deployment was stopped',
    ]);
  });
});

test('a refusal ends a try that still runs before the hook fails of it', () => {
  const [first] = planHook(look({ tries: [tried(1)] }), forbidden).actions;
  expect(first).toMatchObject({ kind: 'deletePod', name: 'web-2-hook-pre' });
  const ended = tried(1, { isBeingDeleted: true, hasEnded: true });
  expect(planHook(look({ tries: [ended] }), forbidden).actions[0]).toMatchObject({
    kind: 'note',
    record: { phase: 'Failed', reason: 'exceeded quota', ended: 1 },
  });
});

describe('a hook that has succeeded before that was noted has succeeded', () => {
  const tries = [tried(1, { state: 'Succeeded' })];
  const noted = { kind: 'note', record: { phase: 'Succeeded', ended: 1 } };

  test.each([
    ['its deployment is stopped', { isWanted: false }, undefined],
    ['the apiserver refuses something', {}, forbidden],
    ['nobody could run it', { problem: 'it has tagImages' }, undefined],
    ['its time is up', { deadlineSeconds: 1 }, undefined],
    [
      'its pod is deleted',
      { tries: [tried(1, { state: 'Succeeded', isBeingDeleted: true })] },
      undefined,
    ],
  ])('though %s', (_what, over, refusal) => {
    expect(planHook(look({ tries, ...over }), refusal).actions[0]).toMatchObject(noted);
  });
});

describe('a hook whose deployment is stopped', () => {
  const stopped = { isWanted: false } as const;
  const stopping = { phase: 'Running', ended: 0, isStopping: true } as const;

  test('is ended first', () => {
    expect(stepsOf(look({ ...stopped, tries: [tried(1)] }))).toEqual([
      'note Pending after 0',
      'delete web-2-hook-pre',
    ]);
    const going = tried(1, { isBeingDeleted: true });
    expect(stepsOf(look({ ...stopped, record: stopping, tries: [going] }))).toEqual([]);
    const gone = tried(1, { isBeingDeleted: true, hasEnded: true });
    expect(stepsOf(look({ ...stopped, tries: [gone] }))).toEqual([
      'note Failed after 1: its deployment was stopped',
    ]);
  });

  test('ends for that, though it is wanted again before it has ended', () => {
    const [note] = planHook(look({ ...stopped, tries: [tried(1)] })).actions;
    expect(note).toMatchObject({ kind: 'note', record: { isStopping: true } });
    const killed = tried(1, { ...failed, exitCode: 137, isBeingDeleted: true });
    const [end] = planHook(look({ record: stopping, tries: [killed] })).actions;
    expect(end).toMatchObject({ kind: 'note', record: { phase: 'Failed', wasStopped: true } });
    expect(end).not.toHaveProperty(['record', 'isStopping']);
  });

  test('has succeeded all the same where its pod has, and so never runs again', () => {
    const done = tried(1, { state: 'Succeeded', hasEnded: true });
    expect(stepsOf(look({ ...stopped, tries: [done] }))[0]).toMatch('note Succeeded after 1');
  });

  test('never begins', () => {
    expect(stepsOf(look(stopped))).toEqual(['note Failed after 0: its deployment was stopped']);
  });
});

describe('of each try that has ended', () => {
  /** What a plan keeps of the tries. */
  const endsOf = (seen: HookObservation) =>
    planHook(seen).actions.flatMap((action) =>
      action.kind === 'note' ? (action.record.tries ?? []) : [],
    );
  const eventOf = (seen: HookObservation): string | undefined =>
    planHook(seen).actions.flatMap((action) =>
      action.kind === 'announce' ? [`${action.reason}: ${action.note}`] : [],
    )[0];

  const ended = (number: number) => ({ number, pod: `web-2-hook-pre-${number}`, endedAtMs: 1 });

  test('the exit code, the reason, the times and the end of the log are kept', () => {
    const log = `${'one more row\n'.repeat(100)}no table\n`;
    const tries = [tried(1, { ...failed, reason: 'Error', message: log })];
    for (const policy of ['Retry', 'Abort', 'Continue'] as const) {
      const [end, ...others] = endsOf(look({ policy, tries }));
      expect(others).toEqual([]);
      expect(end).toMatchObject({
        number: 1,
        pod: 'web-2-hook-pre',
        startedAtMs: nowMs - 4_000,
        endedAtMs: nowMs,
        exitCode: 1,
        reason: 'Error',
        tail: expect.stringMatching(/^one more row\n(.*\n)+no table$/),
      });
      expect(end?.tail?.length).toBeLessThanOrEqual(400);
    }
  });

  test('success is kept too', () => {
    const over = {
      state: 'Succeeded',
      exitCode: 0,
      reason: 'Completed',
      endedAtMs: nowMs,
    } as const;
    const seen = look({ tries: [tried(1, { ...over, message: '12 rows\n\nbye\n' })] });
    expect(endsOf(seen)).toEqual([
      {
        number: 1,
        pod: 'web-2-hook-pre',
        startedAtMs: nowMs - 4_000,
        endedAtMs: nowMs,
        exitCode: 0,
        tail: '12 rows\n\nbye',
      },
    ]);
    expect(eventOf(seen)).toBe(
      'HookSucceeded: The pre hook of "web-2" has succeeded; pod web-2-hook-pre succeeded with exit code 0: 12 rows | bye',
    );
  });

  test('the last five are kept, and each is told', () => {
    const record = { ended: 6, tries: [2, 3, 4, 5, 6].map(ended) };
    const tries = [tried(7, { ...failed, exitCode: 137, reason: 'OOMKilled' })];
    const seen = look({ policy: 'Retry', record, tries });
    expect(endsOf(seen).map(({ number }) => number)).toEqual([3, 4, 5, 6, 7]);
    expect(eventOf(seen)).toBe(
      'HookTryFailed: Try 7 of the pre hook of "web-2" failed: pod "web-2-hook-pre-7" failed with exit code 137 (OOMKilled): no table',
    );
    expect(planHook(seen).summary).toContain('failed with exit code 137 (OOMKilled): no table');
  });

  test('they are in every plan, from the one that notes them to the last', () => {
    const tries = [tried(1, failed)];
    const noting = planHook(look({ policy: 'Retry', tries }));
    expect(noting.tries).toMatchObject([{ number: 1, exitCode: 1 }]);
    const record = { ended: 1, endedAtMs: nowMs, tries: [ended(1)] };
    const next = look({ policy: 'Retry', record, tries: [tried(2)] });
    expect(planHook(next).tries).toEqual([ended(1)]);
    const over = look({ record: { ...record, phase: 'Succeeded' } });
    expect(planHook(over)).toMatchObject({ tries: [ended(1)], next: { kind: 'end' } });
    expect(planHook(look())).not.toHaveProperty('tries');
  });

  const deleted = { isBeingDeleted: true, hasEnded: true } as const;
  const late = { createdAtMs: nowMs - 60_000 } as const;

  test.each<[string, Partial<RunOncePod>, string]>([
    ['that was deleted', { ...deleted }, 'Deleted'],
    ['that its deadline ended', { ...deleted, ...late, exitCode: 143 }, 'DeadlineExceeded'],
    ['that its node ended', { state: 'Failed', reason: 'DeadlineExceeded' }, 'DeadlineExceeded'],
    [
      'that never ran',
      { ...deleted, ...late, state: 'Pending', reason: 'Unschedulable' },
      'Unschedulable',
    ],
  ])('the reason of one %s is kept', (_what, over, reason) => {
    expect(endsOf(look({ tries: [tried(1, over)] }))).toMatchObject([{ number: 1, reason }]);
  });

  test('one that is gone without a trace is kept as such', () => {
    const record = { phase: 'Running', pod: 'web-2-hook-pre', ended: 0 } as const;
    const gone = { number: 1, pod: 'web-2-hook-pre', endedAtMs: nowMs, reason: 'Gone' };
    expect(endsOf(look({ record }))).toEqual([gone]);
    expect(endsOf(look({ record, isWanted: false }))).toEqual([gone]);
    // Tried again under the same number, it is one try all the same.
    const again = { ended: 0, tries: [gone] };
    const tries = [tried(1, { state: 'Succeeded', exitCode: 0 })];
    expect(endsOf(look({ record: again, tries }))).toMatchObject([{ number: 1, exitCode: 0 }]);
  });

  test('one that was ended because its deployment was stopped is told', () => {
    const tries = [tried(1, { ...deleted, state: 'Failed', exitCode: 143, reason: 'Error' })];
    const seen = look({ isWanted: false, tries });
    expect(endsOf(seen)).toMatchObject([{ number: 1, exitCode: 143 }]);
    expect(eventOf(seen)).toBe(
      'HookFailed: The pre hook of "web-2" has failed: its deployment was stopped; pod web-2-hook-pre failed with exit code 143',
    );
  });

  test('a pod of somebody else is no try', () => {
    const tries = [tried(1, { ...failed, isOwn: false })];
    expect(endsOf(look({ tries }))).toEqual([]);
    expect(eventOf(look({ tries }))).toMatch(/is not of this hook$/);
  });
});
