import { describe, expect, test } from '@jest/globals';

import { planVersion } from '../../../src/domain/deployment-config/plan-version.js';
import type { RunOncePod } from '../../../src/domain/shared/run-once-pod.js';
import {
  controller,
  noStatus,
  stepsOf,
  versionObservation,
  versionsNowMs,
} from '../../support/versions.js';

const custom = { type: 'Custom', timeoutSeconds: 600, activeDeadlineSeconds: 60 } as const;
const old = controller({ version: 1, desired: 10 });

const pod = (over: Partial<RunOncePod> = {}): RunOncePod => ({
  name: 'web-2-deploy',
  uid: 'pod-uid',
  isOwn: true,
  state: 'Running',
  createdAtMs: versionsNowMs - 10_000,
  startedAtMs: versionsNowMs - 9_000,
  isBeingDeleted: false,
  hasEnded: over.state === 'Succeeded' || over.state === 'Failed',
  isHeld: true,
  ...over,
});

const version = (over: Partial<Parameters<typeof controller>[0]> = {}) =>
  controller({ version: 2, strategy: custom, phase: 'Running', ...over });

const look = (over: Parameters<typeof version>[0]) => versionObservation([old, version(over)]);

const failureOf = (seen: ReturnType<typeof look>): string | undefined =>
  planVersion(seen).actions.flatMap((action) =>
    action.kind === 'setPhase' && action.to === 'Failed' ? [action.reason] : [],
  )[0];

describe('the pod of a custom strategy', () => {
  test('is started once, and then only waited for', () => {
    expect(stepsOf(look({ phase: 'New' }))).toEqual(['start web-2-deploy']);
    const waiting = pod({ state: 'Pending' });
    expect(stepsOf(look({ phase: 'New', deployer: waiting }))).toEqual(['web-2: New to Pending']);
    expect(stepsOf(look({ phase: 'Pending', deployer: waiting }))).toEqual([]);
    expect(stepsOf(look({ phase: 'Pending', deployer: pod() }))).toEqual([
      'web-2: Pending to Running',
    ]);
    expect(stepsOf(look({ deployer: pod() }))).toEqual([]);
  });

  test('is not started while the config is paused', () => {
    const seen = versionObservation([old, version({ phase: 'New' })], { config: { paused: true } });
    expect(stepsOf(seen)).toEqual([]);
  });

  test('makes the version complete by its success, whatever the sizes are', () => {
    const done = look({ deployer: pod({ state: 'Succeeded', exitCode: 0 }) });
    expect(stepsOf(done)).toEqual(['web-2: Running to Complete']);
  });

  test('may take longer than pods may take to move', () => {
    const hourAgoMs = versionsNowMs - 3_600_000;
    const long = {
      strategy: { ...custom, activeDeadlineSeconds: 7_200 },
      createdAtMs: hourAgoMs,
      deployer: pod({
        state: 'Succeeded',
        exitCode: 0,
        createdAtMs: hourAgoMs,
        startedAtMs: hourAgoMs,
        endedAtMs: versionsNowMs,
      }),
    };
    const seen = look(long);
    const status = { ...noStatus, replicas: 10, readyReplicas: 10, availableReplicas: 10 };
    const quiet = { ...seen, config: { ...seen.config, status } };
    expect(stepsOf(quiet)).toEqual(['web-2: Running to Complete']);
    const region = {
      name: 'eu',
      uid: 'eu-uid',
      desired: 1,
      available: 1,
      statusIsCurrent: true,
      pods: [],
    };
    expect(stepsOf({ ...quiet, regions: [region] })).toEqual(['eu: move to 2']);
  });

  test('goes through Running even when it was never seen to run', () => {
    const done = pod({ state: 'Succeeded', exitCode: 0 });
    expect(stepsOf(look({ phase: 'Pending', deployer: done }))).toEqual([
      'web-2: Pending to Running',
    ]);
  });

  test.each<[string, Partial<RunOncePod> | undefined, string]>([
    [
      'fails',
      { state: 'Failed', exitCode: 3, reason: 'Error', message: 'no such host\n' },
      'deployer pod web-2-deploy failed with exit code 3: no such host',
    ],
    [
      'is stopped by its node',
      { state: 'Failed', reason: 'DeadlineExceeded', message: 'active longer than its deadline' },
      'deployer pod web-2-deploy failed (DeadlineExceeded): active longer than its deadline',
    ],
    [
      'is deleted while it runs',
      { isBeingDeleted: true, hasEnded: true },
      'deployer pod web-2-deploy was deleted while it ran',
    ],
    ['is gone without a trace', undefined, 'deployer pod web-2-deploy is gone'],
    [
      'is somebody else’s',
      { isOwn: false },
      'deployer pod web-2-deploy is there already and is not of this deployment',
    ],
  ])('%s: so does the version', (_what, over, reason) => {
    const seen = look(over === undefined ? {} : { deployer: pod(over) });
    expect(failureOf(seen)).toBe(reason);
  });

  test.each([
    ['is left over by an earlier one', { isLeftover: true }],
    ['is being deleted', { isBeingDeleted: true }],
  ])('that is somebody else’s and %s is waited for', (_what, over) => {
    const seen = look({ phase: 'New', deployer: pod({ isOwn: false, ...over }) });
    expect(planVersion(seen)).toMatchObject({ actions: [], next: { kind: 'wait' } });
  });

  test('that succeeded as it was deleted has succeeded', () => {
    const deployer = pod({ state: 'Succeeded', exitCode: 0, isBeingDeleted: true, hasEnded: true });
    expect(stepsOf(look({ deployer }))).toEqual(['web-2: Running to Complete']);
  });

  test('that is being deleted is waited for', () => {
    expect(stepsOf(look({ deployer: pod({ isBeingDeleted: true }) }))).toEqual([]);
  });

  test.each<[string, Partial<RunOncePod>, 'Pending' | 'Running', string]>([
    [
      'never starts',
      { state: 'Pending', createdAtMs: versionsNowMs - 60_000, reason: 'Unschedulable' },
      'Pending',
      'deployer pod web-2-deploy did not start within 60 s (Unschedulable)',
    ],
    [
      'outlives its deadline',
      { startedAtMs: versionsNowMs - 60_000 },
      'Running',
      'deployer pod web-2-deploy took longer than 60 s',
    ],
  ])('that %s is ended before the version fails', (_what, over, phase, reason) => {
    const deployer = pod(over);
    expect(stepsOf(look({ phase, deployer }))).toEqual(['delete web-2-deploy']);
    const going = { ...deployer, isBeingDeleted: true };
    expect(stepsOf(look({ phase, deployer: going }))).toEqual([]);
    const gone = look({ phase, deployer: { ...going, hasEnded: true } });
    expect(failureOf(gone)).toBe(reason);
  });

  test('is looked at again when its time is up', () => {
    const { next } = planVersion(look({ deployer: pod() }));
    expect(next).toEqual({ kind: 'wait', untilMs: versionsNowMs - 9_000 + 60_000 });
  });

  test('is ended first when the version is cancelled', () => {
    const seen = look({ isCancelled: true, deployer: pod() });
    expect(stepsOf(seen)).toEqual(['delete web-2-deploy']);
  });

  test('is let go once the version is over', () => {
    const deployer = pod({ state: 'Failed', exitCode: 1 });
    const seen = look({ phase: 'Failed', deployer });
    expect(stepsOf(seen)).toEqual(['let go web-2-deploy']);
    expect(planVersion(seen).next.kind).toBe('wait');
    expect(stepsOf(look({ phase: 'Failed', deployer: { ...deployer, isHeld: false } }))).toEqual(
      [],
    );
  });

  test('of an overtaken version is let go, too', () => {
    const deployer = pod({ state: 'Failed', exitCode: 1 });
    const own = version({ phase: 'Failed', deployer });
    const seen = versionObservation([old, own], { version: 2, config: { latestVersion: 3 } });
    expect(stepsOf(seen)).toEqual(['let go web-2-deploy']);
    const done = { ...own, deployer: { ...deployer, isHeld: false } };
    const next = versionObservation([old, done], { version: 2, config: { latestVersion: 3 } });
    expect(planVersion(next).next.kind).toBe('end');
  });

  test('makes room for another when the version is tried again', () => {
    const deployer = pod({ state: 'Failed', exitCode: 1 });
    const retried = { phase: 'Failed', isRetried: true } as const;
    expect(stepsOf(look({ ...retried, deployer }))).toEqual([
      'let go web-2-deploy',
      'delete web-2-deploy',
    ]);
    expect(stepsOf(look(retried))).toEqual(['web-2: Failed to New']);
  });
});
