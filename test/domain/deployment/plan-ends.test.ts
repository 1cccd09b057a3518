import { describe, expect, test } from '@jest/globals';

import type {
  DeploymentSummary,
  ReplicaSetSummary,
} from '../../../src/domain/deployment/observation.js';
import { planDeployment } from '../../../src/domain/deployment/plan-deployment.js';
import type { Action } from '../../../src/domain/deployment/plan.js';
import type { Condition } from '../../../src/domain/shared/conditions.js';
import type { End } from '../../../src/domain/shared/stay.js';
import { emptyStatus, newSet, nowMs, observation, replicaSet } from '../../support/observations.js';

const at = new Date(nowMs).toISOString();
const long = new Date(nowMs - 3_600_000).toISOString();

const progressing = (reason: string, over: Partial<Condition> = {}): Condition => ({
  type: 'Progressing',
  status: 'True',
  reason,
  message: 'ReplicaSet "web-new" is progressing.',
  lastUpdateTime: at,
  lastTransitionTime: at,
  ...over,
});

/** What is told of which set. */
function tell(
  replicaSets: readonly ReplicaSetSummary[],
  deployment: Partial<DeploymentSummary> = {},
  conditions: readonly Condition[] = [progressing('ReplicaSetUpdated')],
) {
  // The counts are as before, so that nothing seems to move.
  const status = {
    ...emptyStatus,
    replicas: 10,
    updatedReplicas: 5,
    readyReplicas: 5,
    availableReplicas: 5,
    conditions,
  };
  const { actions } = planDeployment(
    observation({ deployment: { revision: 2, status, ...deployment }, replicaSets }),
  );
  return actions.flatMap((action: Action) =>
    action.kind === 'tellStay' || action.kind === 'markComplete' || action.kind === 'markFailed'
      ? [{ kind: action.kind, name: action.name, ...action.told }]
      : [],
  );
}

const open = { revision: 2 };
const ended = (end: End) => ({ revision: 2, end });
const complete = newSet({ desired: 10, lastStay: open });
/** In the middle of its rollout. */
const half = (over: Partial<ReplicaSetSummary> = {}): ReplicaSetSummary =>
  newSet({ desired: 5, available: 0, ready: 0, lastStay: open, ...over });
const old = replicaSet({ desired: 5 });
const late = [progressing('ReplicaSetUpdated', { lastUpdateTime: long })];

describe('the set in force', () => {
  test('is complete', () => {
    expect(tell([complete])).toEqual([
      {
        kind: 'tellStay',
        name: 'web-new',
        revision: 2,
        news: { kind: 'ended', end: 'Complete', at },
      },
    ]);
  });

  test('is told of once', () => {
    expect(tell([newSet({ desired: 10, lastStay: ended('Complete') })])).toEqual([]);
  });

  test('stays complete whatever its pods do later', () => {
    const sick = newSet({ desired: 10, available: 3, ready: 3, lastStay: ended('Complete') });
    expect(tell([sick])).toEqual([]);
    expect(tell([sick], {}, late)).toEqual([]);
    expect(tell([sick], { paused: true, cancelReason: 'x' })).toEqual([]);
  });

  test('was complete when the condition says so, where an older worker did not note it', () => {
    const conditions = [
      progressing('NewReplicaSetAvailable', {
        lastUpdateTime: long,
        message: 'ReplicaSet "web-new" has successfully progressed.',
      }),
    ];
    expect(tell([complete], {}, conditions)).toMatchObject([{ news: { at: long } }]);
  });

  test('is complete in the same write as it is marked for rollbacks', () => {
    expect(tell([complete], { rollsBackOnFailure: true })).toEqual([
      {
        kind: 'markComplete',
        name: 'web-new',
        revision: 2,
        news: { kind: 'ended', end: 'Complete', at },
      },
    ]);
  });

  test('goes on, and nothing is told', () => {
    expect(tell([half(), old])).toEqual([]);
    expect(tell([half(), old], { paused: true, pauseReason: 'lunch' })).toEqual([]);
  });

  test('has failed when nothing moved for too long', () => {
    const reason = 'it made no progress for 600 s';
    expect(tell([half(), old], {}, late)).toMatchObject([
      { kind: 'tellStay', news: { kind: 'ended', end: 'Failed', at, reason } },
    ]);
    expect(tell([half({ lastStay: ended('Failed') }), old], {}, late)).toEqual([]);
  });

  test.each([
    ['pods that are refused', { failure: { reason: 'FailedCreate', message: 'quota exceeded' } }],
    ['pods that crash', { crash: 'quota exceeded' }],
  ])('names %s as the trouble', (_title, trouble) => {
    expect(tell([half(trouble), old], {}, late)).toMatchObject([
      { news: { reason: 'it made no progress for 600 s: quota exceeded' } },
    ]);
  });

  test('was cancelled by somebody', () => {
    const cancelled = { paused: true, cancelReason: 'wrong one', cancelledBy: 'ann' };
    expect(tell([half(), old], cancelled)).toMatchObject([
      { news: { kind: 'ended', end: 'Cancelled', at, reason: 'wrong one', by: 'ann' } },
    ]);
    expect(tell([half({ lastStay: ended('Cancelled') }), old], cancelled)).toEqual([]);
  });

  test.each(['Failed', 'Cancelled', 'Overtaken', 'RolledBack'] as const)(
    'goes on after it was %s',
    (end) => {
      expect(tell([half({ lastStay: ended(end) }), old])).toMatchObject([
        { name: 'web-new', news: { kind: 'goesOn' } },
      ]);
    },
  );

  test('is complete after all', () => {
    expect(tell([newSet({ desired: 10, lastStay: ended('Failed') })])).toMatchObject([
      { news: { kind: 'ended', end: 'Complete' } },
    ]);
  });

  test('of which no beginning was noted has no end either', () => {
    expect(tell([newSet({ desired: 10 })])).toEqual([]);
    expect(tell([newSet({ desired: 10, lastStay: { revision: 1 } })])).toEqual([]);
  });

  test('gets its number first', () => {
    const again = newSet({ revision: 1, desired: 10, lastStay: { revision: 1 } });
    expect(tell([again, replicaSet({ revision: 2, lastStay: open })])).toEqual([]);
  });
});

describe('a set that is in force no longer', () => {
  const unfinished = replicaSet({ desired: 5, revision: 2, lastStay: open });
  const newer = (over: Partial<ReplicaSetSummary> = {}): ReplicaSetSummary =>
    half({ revision: 3, lastStay: { revision: 3 }, ...over });

  test('was overtaken by a new template', () => {
    expect(tell([newer(), unfinished])).toEqual([
      {
        kind: 'tellStay',
        name: 'web-old',
        revision: 2,
        news: { kind: 'ended', end: 'Overtaken', at, reason: 'revision 3 came' },
      },
    ]);
  });

  test('was rolled back by whoever went back', () => {
    const back = newer({ lastStay: { revision: 3, backTo: 1, by: 'ann' } });
    const reason = 'revision 3 went back to revision 1';
    expect(tell([back, unfinished])).toMatchObject([
      { news: { end: 'RolledBack', reason, by: 'ann' } },
    ]);
  });

  test.each(['Complete', 'Failed', 'Cancelled'] as const)('stays %s', (end) => {
    expect(tell([newer(), { ...unfinished, lastStay: ended(end) }])).toEqual([]);
  });

  test('waits until the new one is there', () => {
    expect(tell([unfinished])).toEqual([]);
    expect(tell([unfinished], { paused: true, cancelReason: 'x' })).toEqual([]);
  });

  test('and its older stays are none of it', () => {
    expect(tell([newer(), { ...unfinished, lastStay: { revision: 1 } }])).toEqual([]);
  });

  const rolledBack = {
    from: 'web-old',
    to: 'web-new',
    reason: 'PodsCrash',
    message: 'Revision 2 failed; rolled back to revision 1',
  } as const;

  test('was rolled back by itself, and is marked in the same write, before the other has its number', () => {
    const target = half({ revision: 1, lastStay: { revision: 1, end: 'Complete' } });
    expect(tell([target, unfinished], { rolledBack })).toEqual([
      {
        kind: 'markFailed',
        name: 'web-old',
        revision: 2,
        news: { kind: 'ended', end: 'RolledBack', at, reason: rolledBack.message },
      },
    ]);
  });

  test('is told of alone where it was marked before', () => {
    const marked = { ...unfinished, failed: 'why', lastStay: ended('Failed') };
    expect(tell([newer(), marked], { rolledBack })).toMatchObject([
      { kind: 'tellStay', name: 'web-old', news: { end: 'RolledBack' } },
    ]);
    const told = { ...unfinished, failed: 'why', lastStay: ended('RolledBack') };
    expect(tell([newer(), told], { rolledBack })).toEqual([]);
  });
});
