import { describe, expect, test } from '@jest/globals';

import { hookCheckMs, type HookSummary } from '../../../src/domain/shared/hook.js';
import { planDeployment } from '../../../src/domain/deployment/plan-deployment.js';
import { isSettled, type Action } from '../../../src/domain/deployment/plan.js';
import { newSet, nowMs, observation, replicaSet } from '../../support/observations.js';

const hook = (over: Partial<HookSummary> = {}): HookSummary => ({
  moment: 'pre',
  isMandatory: true,
  ended: 0,
  ...over,
});

const late = { isMandatory: false } as const;
const succeeded = { phase: 'Succeeded', ended: 1 } as const;
const failed = { phase: 'Failed', ended: 1, reason: 'pod x failed' } as const;
const running = { phase: 'Running' } as const;

const kindsOf = (actions: readonly Action[]): readonly string[] => actions.map(({ kind }) => kind);

const conditionOf = (seen: ReturnType<typeof observation>) =>
  planDeployment(seen).status?.conditions.find(({ type }) => type === 'Progressing');

const old = replicaSet({ desired: 10 });
const recreate = { type: 'Recreate' } as const;

describe('before the first pod', () => {
  test.each(['RollingUpdate', 'Recreate'] as const)('the set of a %s is made empty', (type) => {
    const strategy = type === 'Recreate' ? recreate : observation({}).deployment.strategy;
    const plan = planDeployment(
      observation({ deployment: { hookMoments: ['pre'], strategy }, replicaSets: [old] }),
    );
    const made = plan.actions.find(({ kind }) => kind === 'createReplicaSet');
    expect(made).toMatchObject({ replicas: 0 });
    expect(kindsOf(plan.actions)).not.toContain('scaleReplicaSet');
  });

  test('a pre hook is waited for, and nothing is scaled', () => {
    const seen = observation({ replicaSets: [newSet({ hooks: [hook()] }), old] });
    const plan = planDeployment(seen);
    expect(kindsOf(plan.actions)).not.toContain('scaleReplicaSet');
    expect(plan).toMatchObject({
      phase: 'Progressing',
      hook: { moment: 'pre', set: 'web-new', round: 0, hasBegun: false },
      next: { kind: 'wait' },
    });
    // It has no limit here; only whether its run is still there is looked at now and then.
    expect(plan.next).toEqual({ kind: 'wait', untilMs: nowMs + hookCheckMs });
    const told = observation({
      deployment: { status: planDeployment(seen).status! },
      replicaSets: seen.replicaSets,
    });
    expect(conditionOf(told)).toMatchObject({ status: 'True', reason: 'HookRunning' });
  });

  test('the old set may be scaled meanwhile', () => {
    const seen = observation({
      deployment: { replicas: 12 },
      replicaSets: [newSet({ hooks: [hook(running)] }), old],
    });
    expect(planDeployment(seen).actions).toContainEqual(
      expect.objectContaining({ kind: 'scaleReplicaSet', name: 'web-old', to: 12 }),
    );
  });

  test('no set grows though it is the only one and the Deployment is paused', () => {
    const seen = observation({
      deployment: { paused: true },
      replicaSets: [newSet({ hooks: [hook(running)] })],
    });
    expect(kindsOf(planDeployment(seen).actions)).not.toContain('scaleReplicaSet');
  });

  test('a pause starts no hook, and waits for one that runs', () => {
    const paused = (over: Partial<HookSummary>) =>
      planDeployment(
        observation({
          deployment: { paused: true },
          replicaSets: [newSet({ hooks: [hook(over)] }), old],
        }),
      );
    expect(paused({}).hook).toBeUndefined();
    expect(paused(running).hook).toMatchObject({ hasBegun: true });
  });

  test.each([
    ['has succeeded', succeeded],
    ['has failed and does not matter', { ...failed, ...late }],
  ])('a hook that %s lets pods move', (_what, over) => {
    const seen = observation({ replicaSets: [newSet({ hooks: [hook(over)] }), old] });
    expect(kindsOf(planDeployment(seen).actions)).toContain('scaleReplicaSet');
  });

  test('the time for progress begins when the hook has ended', () => {
    const conditions = [
      {
        type: 'Progressing',
        status: 'True',
        reason: 'HookRunning',
        lastUpdateTime: '2026-01-01T01:00:00Z',
        lastTransitionTime: '2026-01-01T01:00:00Z',
      } as const,
    ];
    const status = { ...observation({}).deployment.status, conditions };
    const seen = observation({
      deployment: { status },
      replicaSets: [newSet({ hooks: [hook(succeeded)] }), old],
    });
    expect(planDeployment(seen)).toMatchObject({
      phase: 'Progressing',
      next: { untilMs: nowMs + 600_000 },
    });
  });
});

describe('a hook that failed', () => {
  const seen = observation({ replicaSets: [newSet({ hooks: [hook(failed)] }), old] });

  test('fails the rollout before anything is scaled, and marks its set', () => {
    const plan = planDeployment(seen);
    expect(plan).toMatchObject({ phase: 'Failed', failure: 'HookFailed' });
    expect(plan.summary).toMatch('Revision 2 failed: the pre hook failed: pod x failed');
    expect(kindsOf(plan.actions)).toContain('markFailed');
    expect(kindsOf(plan.actions)).not.toContain('scaleReplicaSet');
    expect(conditionOf(seen)).toMatchObject({ status: 'False', reason: 'HookFailed' });
  });

  test('goes back by itself where that is asked for', () => {
    const { deployment } = seen;
    const plan = planDeployment({
      ...seen,
      deployment: { ...deployment, rollsBackOnFailure: true },
    });
    expect(plan.actions[0]).toMatchObject({ kind: 'rollBack', name: 'web-old' });
    expect(plan.actions[0]).toMatchObject({ note: { reason: 'HookFailed' } });
  });

  test('runs again when somebody wants that', () => {
    const retried = newSet({ hooks: [hook(failed)], isRetried: true, failed: 'x' });
    const plan = planDeployment(observation({ replicaSets: [retried, old] }));
    expect(plan.actions).toContainEqual({ kind: 'resetHooks', name: 'web-new', uid: retried.uid });
  });

  test.each([
    ['is due', {}],
    ['runs', running],
  ])('does not run again before its revert, which %s, has ended', (_what, over) => {
    const hooks = [hook(failed), hook({ moment: 'abort', ...late, ...over })];
    const retried = newSet({ hooks, isRetried: true, failed: 'x' });
    const plan = planDeployment(observation({ replicaSets: [retried, old] }));
    expect(kindsOf(plan.actions)).not.toContain('resetHooks');
    expect(plan.hook).toMatchObject({ moment: 'abort', set: 'web-new' });
  });

  test('because its rollout was stopped is made ready once that goes on, and only then started', () => {
    const stopped = newSet({ hooks: [hook({ ...failed, wasStopped: true })] });
    const plan = planDeployment(observation({ replicaSets: [stopped, old] }));
    expect(plan.phase).toBe('Progressing');
    expect(plan.hook).toBeUndefined();
    const { uid } = stopped;
    const only = 'stopped';
    expect(plan.actions).toContainEqual({ kind: 'resetHooks', name: 'web-new', uid, only });
    const cancelled = { paused: true, cancelReason: 'enough' };
    const still = planDeployment(
      observation({ deployment: cancelled, replicaSets: [stopped, old] }),
    );
    expect(kindsOf(still.actions)).not.toContain('resetHooks');
  });
});

describe('between and after', () => {
  const mid = newSet({ hooks: [hook({ moment: 'mid' })] });

  test('a mid hook has its turn when the last old pod is gone', () => {
    const seen = (oldPods: number, desired: number) =>
      observation({
        deployment: { strategy: recreate },
        replicaSets: [mid, replicaSet({ desired, replicas: oldPods })],
        oldPods,
      });
    expect(planDeployment(seen(10, 10)).actions).toContainEqual(
      expect.objectContaining({ kind: 'scaleReplicaSet', name: 'web-old', to: 0 }),
    );
    expect(planDeployment(seen(1, 0)).hook).toBeUndefined();
    const between = planDeployment(seen(0, 0));
    expect(between.hook).toMatchObject({ moment: 'mid' });
    expect(kindsOf(between.actions)).not.toContain('scaleReplicaSet');
  });

  const done = (over: Partial<HookSummary>) =>
    observation({
      deployment: { revision: 2 },
      replicaSets: [
        newSet({ desired: 10, hooks: [hook({ moment: 'post', ...late, ...over })] }),
        replicaSet({ desired: 0 }),
      ],
    });

  test('a post hook holds the end, not the pods', () => {
    const plan = planDeployment(done({}));
    expect(plan).toMatchObject({ phase: 'Progressing', hook: { moment: 'post' } });
    expect(planDeployment(done(succeeded)).phase).toBe('Complete');
    expect(planDeployment(done(failed)).phase).toBe('Complete');
  });

  test('a post hook that runs is waited for though a pod is lost', () => {
    const seen = done(running);
    const [set, other] = seen.replicaSets;
    const lost = { ...seen, replicaSets: [{ ...set!, available: 9 }, other!] };
    expect(planDeployment(lost).hook).toMatchObject({ moment: 'post', hasBegun: true });
  });
});

describe('hooks of other sets', () => {
  test('one that still runs is ended first', () => {
    const left = replicaSet({ desired: 10, hooks: [hook(running)] });
    const plan = planDeployment(observation({ replicaSets: [newSet(), left] }));
    expect(plan.hook).toMatchObject({ set: 'web-old', hasBegun: true });
    expect(kindsOf(plan.actions)).not.toContain('scaleReplicaSet');
  });

  const given = { failed: 'it failed', hooks: [hook({ moment: 'abort', ...late })] };

  test('what was given up is reverted, and the rollout has not ended before that', () => {
    const seen = observation({
      deployment: { revision: 2 },
      replicaSets: [newSet({ desired: 10 }), replicaSet({ desired: 0, ...given })],
    });
    const plan = planDeployment(seen);
    expect(plan).toMatchObject({ phase: 'Complete', hook: { moment: 'abort', set: 'web-old' } });
    expect(isSettled(plan)).toBe(false);
  });

  test('a revert comes before the next pre hook', () => {
    const plan = planDeployment(
      observation({
        replicaSets: [newSet({ hooks: [hook()] }), replicaSet({ desired: 10, ...given })],
      }),
    );
    expect(plan.hook).toMatchObject({ moment: 'abort', set: 'web-old' });
  });
});

describe('a set that becomes the new one again', () => {
  const again = newSet({ revision: 1, hooks: [hook(succeeded)] });
  const current = replicaSet({ revision: 2, desired: 10 });

  test('has its hooks run again, and moves nothing before that', () => {
    const plan = planDeployment(
      observation({ deployment: { revision: 2 }, replicaSets: [again, current] }),
    );
    expect(plan.actions[0]).toMatchObject({ kind: 'syncReplicaSet', renewsHooks: true });
    expect(kindsOf(plan.actions)).not.toContain('scaleReplicaSet');
  });

  test('has none run when it is the way back from a failure', () => {
    const rolledBack = {
      from: 'web-old',
      to: 'web-new',
      reason: 'PodsCrash',
      message: 'x',
    } as const;
    const plan = planDeployment(
      observation({ deployment: { revision: 2, rolledBack }, replicaSets: [again, current] }),
    );
    expect(plan.actions[0]).not.toHaveProperty('renewsHooks');
    expect(kindsOf(plan.actions)).toContain('scaleReplicaSet');
  });
});

describe('an automatic rollback', () => {
  const crashed = (over: object, hooks: readonly HookSummary[]) =>
    planDeployment(
      observation({
        deployment: { rollsBackOnFailure: true, ...over },
        replicaSets: [newSet({ desired: 3, crash: 'it crashes', hooks }), old],
      }),
    ).actions.some(({ kind }) => kind === 'rollBack');
  const migrated = [hook(succeeded)];

  test('is not made over what nothing reverts, unless that is allowed', () => {
    expect(crashed({}, migrated)).toBe(false);
    expect(crashed({ rollsBackOverHooks: true }, migrated)).toBe(true);
    expect(crashed({}, [...migrated, hook({ moment: 'abort', ...late })])).toBe(true);
    expect(crashed({}, [])).toBe(true);
  });

  test('nor over what a failed rollout in between has left behind', () => {
    const goesBack = (hooks: readonly HookSummary[], over = {}) =>
      planDeployment(
        observation({
          deployment: { rollsBackOnFailure: true, ...over },
          replicaSets: [
            newSet({ revision: 3, desired: 3, crash: 'it crashes', lastComplete: old.name }),
            { ...old, name: 'web-between', uid: 'between', revision: 2, desired: 0, hooks },
            { ...old, revision: 1 },
          ],
        }),
      ).actions.some(({ kind }) => kind === 'rollBack');
    expect(goesBack([])).toBe(true);
    expect(goesBack(migrated)).toBe(false);
    expect(goesBack(migrated, { rollsBackOverHooks: true })).toBe(true);
    expect(goesBack([...migrated, hook({ moment: 'abort', ...late })])).toBe(false);
    expect(goesBack([...migrated, hook({ moment: 'abort', ...succeeded })])).toBe(true);
  });
});
