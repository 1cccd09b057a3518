import { describe, expect, test } from '@jest/globals';

import { cancelReasons } from '../../../src/domain/deployment-config/cancel-reasons.js';
import type { VersionObservation } from '../../../src/domain/deployment-config/observation.js';
import { planVersion } from '../../../src/domain/deployment-config/plan-version.js';
import { findCondition } from '../../../src/domain/shared/conditions.js';
import type { HookSummary } from '../../../src/domain/shared/hook.js';
import {
  controller,
  noStatus,
  recreate,
  stepsOf,
  versionObservation,
  versionsNowMs,
} from '../../support/versions.js';

const progressOf = (seen: VersionObservation): string | undefined =>
  findCondition(planVersion(seen).status?.conditions ?? [], 'Progressing')?.reason;

const serving = controller({ version: 1, desired: 10 });

describe('the beginning', () => {
  test('takes the snapshot when no other version is under way', () => {
    const seen = versionObservation([serving]);
    expect(stepsOf(seen)).toEqual(['create web-2']);
    expect(progressOf(seen)).toBe('NewReplicationControllerCreated');
  });

  test.each(['New', 'Pending', 'Running'] as const)(
    'stops a version that is %s first, and waits for its end',
    (phase) => {
      const running = controller({ version: 1, phase, desired: 4 });
      expect(stepsOf(versionObservation([running]))).toEqual(['cancel web-1']);
      const stopped = { ...running, isCancelled: true };
      expect(planVersion(versionObservation([stopped]))).toMatchObject({
        actions: [],
        next: { kind: 'wait' },
      });
    },
  );

  test('does not come while the config is on its way back: what stands in it is another version', () => {
    const seen = versionObservation([serving], { config: { isGoingBack: true } });
    expect(planVersion(seen)).toMatchObject({ actions: [], next: { kind: 'wait' } });
    const made = versionObservation([serving, controller({ version: 2, phase: 'New' })], {
      config: { isGoingBack: true },
    });
    expect(stepsOf(made)).toEqual(['web-2: New to Pending']);
  });

  test('goes through the phases one by one', () => {
    const at = (phase: 'New' | 'Pending') =>
      stepsOf(versionObservation([serving, controller({ version: 2, phase })]));
    expect(at('New')).toEqual(['web-2: New to Pending']);
    expect(at('Pending')).toEqual(['web-2: Pending to Running']);
  });

  test('says each phase in an event', () => {
    const seen = versionObservation([serving, controller({ version: 2, phase: 'Pending' })]);
    expect(planVersion(seen).actions).toContainEqual(
      expect.objectContaining({ kind: 'announce', reason: 'RolloutStarted' }),
    );
  });

  test('a version that is gone and not the latest any more is nobody’s', () => {
    const seen = versionObservation([serving], { version: 1, config: { latestVersion: 2 } });
    expect(stepsOf({ ...seen, controllers: [] })).toEqual([]);
    expect(planVersion({ ...seen, controllers: [] }).next).toEqual({ kind: 'end' });
  });
});

describe('a rolling rollout', () => {
  const running = controller({ version: 2, phase: 'Running' });

  test('scales straight up where there is nothing to replace', () => {
    expect(stepsOf(versionObservation([running]))).toEqual(['web-2: 0 to 10']);
  });

  test('shrinks the old version before the new one grows into its room', () => {
    expect(stepsOf(versionObservation([serving, running]))).toEqual([
      'web-1: 10 to 8',
      'web-2: 0 to 5',
    ]);
  });

  test('is complete when all pods are new and available', () => {
    const done = controller({ version: 2, phase: 'Running', desired: 10 });
    const emptied = controller({ version: 1 });
    expect(stepsOf(versionObservation([emptied, done]))).toEqual(['web-2: Running to Complete']);
    expect(progressOf(versionObservation([emptied, done]))).toBe(
      'NewReplicationControllerAvailable',
    );
  });

  test('waits for counts that speak of its size', () => {
    const done = controller({ version: 2, phase: 'Running', desired: 10, statusIsCurrent: false });
    expect(stepsOf(versionObservation([done]))).toEqual([]);
  });

  test('holds where it is while paused', () => {
    const seen = versionObservation([serving, running], { config: { paused: true } });
    expect(stepsOf(seen)).toEqual([]);
    expect(planVersion(seen)).toMatchObject({ phase: 'Paused', next: { kind: 'wait' } });
  });
});

describe('a recreation', () => {
  const running = controller({ version: 2, phase: 'Running', strategy: recreate });

  test('ends all old pods first', () => {
    expect(stepsOf(versionObservation([serving, running]))).toEqual(['web-1: 10 to 0']);
  });

  test('waits until they are really gone', () => {
    const emptied = controller({ version: 1 });
    expect(stepsOf(versionObservation([emptied, running], { oldPods: 1 }))).toEqual([]);
    const going = controller({ version: 1, replicas: 3 });
    expect(stepsOf(versionObservation([going, running], { oldPods: 0 }))).toEqual([]);
  });

  test('lets one pod show that it can run, then brings the rest', () => {
    const emptied = controller({ version: 1 });
    expect(stepsOf(versionObservation([emptied, running]))).toEqual(['web-2: 0 to 1']);
    const trying = { ...running, desired: 1, replicas: 1 };
    expect(stepsOf(versionObservation([emptied, trying]))).toEqual([]);
    const proven = { ...trying, available: 1 };
    expect(stepsOf(versionObservation([emptied, proven]))).toEqual(['web-2: 1 to 10']);
  });
});

describe('a failure', () => {
  const half = controller({
    version: 2,
    phase: 'Running',
    desired: 5,
    available: 0,
    createdAtMs: versionsNowMs - 3_600_000,
  });
  const shrunk = controller({ version: 1, desired: 8 });

  test('of a version that somebody cancelled', () => {
    const cancelled = { ...half, isCancelled: true };
    const seen = versionObservation([shrunk, cancelled]);
    expect(stepsOf(seen)).toEqual(['web-2: Running to Failed']);
    expect(progressOf(seen)).toBe('RolloutCancelled');
    expect(planVersion(seen).phase).toBe('Cancelled');
  });

  test('of a version that was overtaken, which then has no more say', () => {
    const seen = versionObservation([shrunk, half], { version: 2, config: { latestVersion: 3 } });
    const plan = planVersion(seen);
    expect(plan.actions).toContainEqual(
      expect.objectContaining({ kind: 'setPhase', to: 'Failed', reason: cancelReasons.newerFound }),
    );
    expect(plan.status).toBeUndefined();
    const failed = { ...half, phase: 'Failed' } as const;
    const after = planVersion({ ...seen, controllers: [shrunk, failed] });
    expect(after).toMatchObject({ actions: [], next: { kind: 'end' } });
  });

  test('of a version that does not move for too long', () => {
    const moved = (secondsAgo: number): VersionObservation => {
      const seen = versionObservation([shrunk, half]);
      const written = planVersion(seen).status ?? noStatus;
      const lastUpdateTime = new Date(seen.observedAtMs - secondsAgo * 1_000).toISOString();
      const conditions = [
        {
          type: 'Progressing',
          status: 'True',
          reason: 'ReplicationControllerUpdated',
          lastUpdateTime,
        },
      ] as const;
      return { ...seen, config: { ...seen.config, status: { ...written, conditions } } };
    };
    expect(stepsOf(moved(599))).toEqual([]);
    expect(stepsOf(moved(600))).toEqual(['web-2: Running to Failed']);
    expect(progressOf(moved(600))).toBe('ProgressDeadlineExceeded');
  });

  test('brings the last complete version back to its size, with never too few pods', () => {
    const failed = { ...half, phase: 'Failed', desired: 5, available: 5 } as const;
    const back = controller({ version: 1, desired: 3 });
    expect(stepsOf(versionObservation([back, failed]))).toEqual(['web-1: 3 to 8']);
    const restored = controller({ version: 1, desired: 8 });
    expect(stepsOf(versionObservation([restored, failed]))).toEqual([
      'web-2: 5 to 0',
      'web-1: 8 to 10',
    ]);
  });

  test('of the first version leaves no pods', () => {
    const failed = controller({ version: 1, phase: 'Failed', desired: 10 });
    const seen = versionObservation([failed], { config: { latestVersion: 1 } });
    expect(stepsOf(seen)).toEqual(['web-1: 10 to 0']);
  });

  test('is tried again when somebody asks, if it is the latest', () => {
    const failed = controller({ version: 2, phase: 'Failed', isRetried: true });
    expect(stepsOf(versionObservation([serving, failed]))).toEqual(['web-2: Failed to New']);
    const old = versionObservation([failed], { version: 2, config: { latestVersion: 3 } });
    expect(stepsOf(old)).toEqual([]);
  });

  test('that was long ago leaves the next try all its time', () => {
    const failed = controller({
      version: 2,
      phase: 'Failed',
      isRetried: true,
      createdAtMs: versionsNowMs - 7_200_000,
    });
    const longAgo = new Date(versionsNowMs - 3_600_000).toISOString();
    const conditions = [
      {
        type: 'Progressing',
        status: 'False',
        reason: 'ProgressDeadlineExceeded',
        lastUpdateTime: longAgo,
      },
    ] as const;
    const before = { ...noStatus, replicas: 10, readyReplicas: 10, availableReplicas: 10 };
    const first = versionObservation([serving, failed], {
      config: { status: { ...before, conditions } },
    });
    const { status = noStatus } = planVersion(first);
    expect(progressOf(first)).toBe('ReplicationControllerUpdated');
    const running = { ...failed, phase: 'Running', isRetried: false } as const;
    const next = versionObservation([serving, running], { config: { status } });
    expect(stepsOf(next)).toEqual(['web-1: 10 to 8', 'web-2: 0 to 5']);
  });
});

describe('afterwards', () => {
  const complete = controller({ version: 2, desired: 10 });

  test('it is at rest', () => {
    const seen = versionObservation([controller({ version: 1 }), complete]);
    const status = planVersion(seen).status ?? noStatus;
    const plan = planVersion({ ...seen, config: { ...seen.config, status } });
    expect(plan).toMatchObject({ phase: 'Complete', actions: [], next: { kind: 'end' } });
    expect(plan.status).toBeUndefined();
  });

  test.each([
    [15, ['web-2: 10 to 15']],
    [3, ['web-2: 10 to 3']],
    [0, ['web-2: 10 to 0']],
  ])('a new size of %i is carried out', (replicas, steps) => {
    expect(stepsOf(versionObservation([complete], { config: { replicas } }))).toEqual(steps);
  });

  test('a test has no pods any more', () => {
    const seen = versionObservation([complete], { config: { isTest: true } });
    expect(stepsOf(seen)).toEqual(['web-2: 10 to 0']);
  });

  test('versions that the history has no place for go, the last complete one never', () => {
    const old = [1, 2, 3].map((version) => controller({ version, phase: 'Failed' }));
    const config = { latestVersion: 5, revisionHistoryLimit: 1 };
    const latest = controller({ version: 5, phase: 'Failed' });
    const last = controller({ version: 4, desired: 10 });
    expect(stepsOf(versionObservation([...old, last, latest], { config }))).toEqual([
      'delete web-1',
      'delete web-2',
    ]);
    const none = { ...config, revisionHistoryLimit: 0 };
    expect(stepsOf(versionObservation([last, latest], { config: none }))).toEqual([]);
  });

  test('of those, the ones stay whose hooks still run or have done what nothing has undone', () => {
    const hook = { moment: 'pre', isMandatory: true, ended: 1, phase: 'Succeeded' } as const;
    const abort = { ...hook, moment: 'abort' } as const;
    const failed = (version: number, hooks: readonly HookSummary[]) =>
      controller({ version, phase: 'Failed', hooks });
    const all = [
      failed(1, [hook]),
      controller({ version: 2, desired: 10 }),
      failed(3, [hook]),
      failed(4, [hook, abort]),
      failed(5, [{ ...abort, phase: 'Running' }]),
      failed(6, []),
    ];
    const config = { latestVersion: 6, revisionHistoryLimit: 0 };
    expect(stepsOf(versionObservation(all, { config }))).toEqual(['delete web-1', 'delete web-4']);
  });

  test('nothing is done to a config that is being deleted', () => {
    const seen = versionObservation([serving], { config: { beingDeleted: true } });
    expect(planVersion(seen)).toMatchObject({
      phase: 'Deleted',
      actions: [],
      next: { kind: 'end' },
    });
  });
});

describe('what the apiserver will not have', () => {
  const refusal = 'pods "x" is forbidden: exceeded quota';

  test('before there is a version: the status says so, and nothing is left to do', () => {
    const plan = planVersion(versionObservation([serving]), refusal);
    expect(plan).toMatchObject({ phase: 'Failed', actions: [], next: { kind: 'end' } });
    expect(findCondition(plan.status?.conditions ?? [], 'Progressing')).toMatchObject({
      status: 'False',
      reason: 'ReplicationControllerCreateError',
      message: refusal,
    });
  });

  test('of a version that is under way: it fails of it', () => {
    const own = controller({ version: 2, phase: 'New' });
    const [move] = planVersion(versionObservation([serving, own]), refusal).actions;
    expect(move).toMatchObject({ kind: 'setPhase', to: 'Failed', reason: refusal });
  });
});

describe('a limit for the whole', () => {
  const at = (over: Partial<Parameters<typeof controller>[0]> = {}, config = {}) =>
    versionObservation(
      [
        serving,
        controller({
          version: 2,
          phase: 'Running',
          desired: 5,
          available: 2,
          strategy: { ...recreate, limitSeconds: 60 },
          startedAtMs: versionsNowMs - 60_000,
          createdAtMs: versionsNowMs,
          ...over,
        }),
      ],
      { config },
    );

  test('fails a version that moves, and is waited for', () => {
    expect(planVersion(at()).actions[0]).toMatchObject({ reason: cancelReasons.tookTooLong });
    const { next } = planVersion(at({ startedAtMs: versionsNowMs - 59_000 }));
    expect(next).toEqual({ kind: 'wait', untilMs: versionsNowMs + 1_000 });
  });

  test('does not count while the config is paused, nor the time of hooks', () => {
    expect(stepsOf(at({}, { paused: true }))).toEqual([]);
    const hook = { moment: 'mid', isMandatory: true, ended: 1, phase: 'Succeeded' } as const;
    const hooks = [{ ...hook, endedAtMs: versionsNowMs - 1_000 }];
    expect(stepsOf(at({ hooks }))).toEqual(['web-1: 10 to 0']);
  });
});
