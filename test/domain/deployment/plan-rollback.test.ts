import { describe, expect, test } from '@jest/globals';

import type { Condition } from '../../../src/domain/shared/conditions.js';
import type {
  DeploymentObservation,
  DeploymentSummary,
  ReplicaSetSummary,
} from '../../../src/domain/deployment/observation.js';
import { planDeployment } from '../../../src/domain/deployment/plan-deployment.js';
import { isSettled } from '../../../src/domain/deployment/plan.js';
import { emptyStatus, newSet, nowMs, observation, replicaSet } from '../../support/observations.js';

describe('a rollback that was asked for', () => {
  const sets = [
    newSet({ revision: 3, desired: 10 }),
    replicaSet({ name: 'web-two', revision: 2 }),
    replicaSet({ name: 'web-one', revision: 1 }),
  ];
  const ask = (rollbackTo: number, over: Partial<DeploymentSummary> = {}) =>
    planDeployment(
      observation({
        deployment: { revision: 3, rollbackTo, ...over },
        replicaSets: sets,
      }),
    );

  test.each([
    ['the one before', 0, 'web-two', 2],
    ['a given one', 1, 'web-one', 1],
  ])('goes back to %s', (_title, wanted, name, found) => {
    expect(ask(wanted)).toMatchObject({
      phase: 'Progressing',
      actions: [
        { kind: 'rollBack', name, uid: `${name}-uid`, revision: found },
        {
          kind: 'announce',
          type: 'Normal',
          reason: 'DeploymentRollback',
          note: `Rolled back deployment "web" to revision ${found}`,
        },
      ],
      next: { kind: 'wait' },
    });
  });

  test.each([
    ['a revision that is not there', 7, 'DeploymentRollbackRevisionNotFound'],
    ['the current one', 3, 'DeploymentRollbackTemplateUnchanged'],
  ])('to %s is refused, and the wish taken away', (_title, wanted, reason) => {
    expect(ask(wanted).actions).toEqual([
      { kind: 'clearRollback' },
      expect.objectContaining({ kind: 'announce', type: 'Warning', reason }),
    ]);
  });

  test('without an earlier revision is refused', () => {
    const seen = observation({
      deployment: { rollbackTo: 0 },
      replicaSets: [newSet({ revision: 1, desired: 10 })],
    });
    expect(planDeployment(seen).actions).toContainEqual(
      expect.objectContaining({ note: 'Unable to find last revision.' }),
    );
  });

  test('waits while the Deployment is paused', () => {
    const { actions } = ask(1, { paused: true });
    expect(actions.map(({ kind }) => kind)).not.toContain('rollBack');
  });

  test('is the way out of a template that can not be used', () => {
    const problem = { templateProblem: 'spec.template: is wrong' };
    const unusable = observation({
      deployment: { revision: 2, rollbackTo: 0, ...problem },
      replicaSets: sets.slice(1),
    });
    expect(planDeployment(unusable).actions[0]).toMatchObject({
      kind: 'rollBack',
      name: 'web-two',
    });
  });
});

describe('a rollback by itself', () => {
  const late: Condition = {
    type: 'Progressing',
    status: 'True',
    reason: 'ReplicaSetUpdated',
    lastUpdateTime: '2026-01-01T11:00:00Z',
  };
  const rolling: Condition = { ...late, lastUpdateTime: '2026-01-01T11:59:59Z' };
  const counts = {
    replicas: 11,
    updatedReplicas: 3,
    readyReplicas: 8,
    availableReplicas: 8,
    unavailableReplicas: 3,
  };

  interface Story {
    readonly condition?: Condition;
    readonly failed?: Partial<ReplicaSetSummary>;
    readonly good?: Partial<ReplicaSetSummary>;
    readonly deployment?: Partial<DeploymentSummary>;
  }

  /** Revision 2 is stuck at 3 sick pods; revision 1 still has 8 good ones. */
  function stuck({
    condition = late,
    failed,
    good,
    deployment,
  }: Story = {}): DeploymentObservation {
    return observation({
      deployment: {
        revision: 2,
        rollsBackOnFailure: true,
        status: { ...emptyStatus, observedGeneration: 1, ...counts, conditions: [condition] },
        ...deployment,
      },
      replicaSets: [
        newSet({ desired: 3, ready: 0, available: 0, lastComplete: 'web-old', ...failed }),
        replicaSet({ desired: 8, ...good }),
      ],
    });
  }

  const kinds = (seen: DeploymentObservation): string[] =>
    planDeployment(seen).actions.map(({ kind }) => kind);

  test('when the deadline is missed: the failure is told, then the template goes back', () => {
    const plan = planDeployment(stuck());
    expect(plan).toMatchObject({
      phase: 'Progressing',
      actions: [
        {
          kind: 'rollBack',
          name: 'web-old',
          revision: 1,
          note: { from: 'web-new', to: 'web-old', reason: 'ProgressDeadlineExceeded' },
        },
        { kind: 'announce', type: 'Warning', reason: 'DeploymentRollback' },
      ],
      next: { kind: 'wait' },
    });
    expect(plan.status?.conditions).toContainEqual(
      expect.objectContaining({ reason: 'ProgressDeadlineExceeded', status: 'False' }),
    );
    expect(plan.summary).toContain('Revision 2 made no progress for 600 s');
  });

  test('when a pod crashes, long before the deadline', () => {
    const crash = 'container web of pod web-new-1 keeps crashing';
    const plan = planDeployment(stuck({ condition: rolling, failed: { crash } }));
    expect(plan.actions[0]).toMatchObject({
      kind: 'rollBack',
      note: {
        reason: 'PodsCrash',
        message: `Revision 2 failed: ${crash}; rolled back to revision 1`,
      },
    });
  });

  test('not before: a rollout that is only slow goes on', () => {
    expect(kinds(stuck({ condition: rolling }))).not.toContain('rollBack');
  });

  test('not unless asked for', () => {
    const plan = planDeployment(stuck({ deployment: { rollsBackOnFailure: false } }));
    expect(plan.phase).toBe('Failed');
  });

  test('not for a crash after the rollout has ended', () => {
    const ended = { ...rolling, reason: 'NewReplicaSetAvailable', message: progressed('web-new') };
    const seen = stuck({ condition: ended, failed: { crash: 'it crashes' } });
    expect(kinds(seen)).not.toContain('rollBack');
  });

  test('not for a crash after a pause that came when the rollout had ended', () => {
    const resumed = { ...rolling, reason: 'DeploymentResumed' };
    const failed = { crash: 'it crashes', lastComplete: 'web-new' };
    expect(kinds(stuck({ condition: resumed, failed }))).not.toContain('rollBack');
  });

  test.each([
    ['the set was rolled back from before', { failed: { failed: 'crashed' } }],
    [
      'the set was sent again before it could be marked',
      {
        deployment: {
          rolledBack: {
            from: 'web-new',
            to: 'web-old',
            reason: 'PodsCrash' as const,
            message: 'crashed',
          },
        },
      },
    ],
    [
      'it is what was gone back to',
      {
        deployment: {
          rolledBack: {
            from: 'web-x',
            to: 'web-new',
            reason: 'PodsCrash' as const,
            message: 'crashed',
          },
        },
      },
    ],
  ])('not a second time: %s', (_title, story) => {
    const plan = planDeployment(stuck(story));
    expect(plan.phase).toBe('Failed');
    expect(plan.summary).toContain('rolled back once already');
  });

  /** As it stands when all old pods have gone before. */
  const emptied = {
    status: {
      ...emptyStatus,
      observedGeneration: 1,
      replicas: 10,
      updatedReplicas: 10,
      unavailableReplicas: 10,
      conditions: [late],
    },
  };

  test('to the set that was complete, also when it has no pods left', () => {
    const story = stuck({
      good: { desired: 0 },
      failed: { desired: 10, replicas: 10 },
      deployment: emptied,
    });
    const [failed, good] = story.replicaSets;
    const seen = {
      ...story,
      replicaSets: [failed, good, replicaSet({ name: 'web-zero', revision: 0 })],
    } as DeploymentObservation;
    expect(planDeployment(seen).actions[0]).toMatchObject({ kind: 'rollBack', name: 'web-old' });
  });

  test('to one that had failed before and was complete since', () => {
    const seen = stuck({ good: { failed: 'crashed, long ago', lastComplete: 'web-old' } });
    expect(planDeployment(seen).actions[0]).toMatchObject({ kind: 'rollBack', name: 'web-old' });
  });

  test('without that knowledge to the newest that has pods; with none it stays, and says so', () => {
    const unknown = stuck();
    const [failed, good] = unknown.replicaSets;
    const { lastComplete: _unknown, ...forgetful } = failed as ReplicaSetSummary;
    const seen = { ...unknown, replicaSets: [forgetful, good as ReplicaSetSummary] };
    expect(planDeployment(seen).actions[0]).toMatchObject({ kind: 'rollBack', name: 'web-old' });
    const alone = planDeployment({
      ...unknown,
      deployment: { ...unknown.deployment, ...emptied },
      replicaSets: [{ ...forgetful, desired: 10, replicas: 10 }],
    });
    expect(alone.actions.map(({ kind }) => kind)).not.toContain('rollBack');
    expect(alone.summary).toContain('nothing to roll back to');
  });

  const rolledBack = {
    from: 'web-old',
    to: 'web-new',
    reason: 'PodsCrash' as const,
    message: 'Revision 2 failed: it crashed; rolled back to revision 1',
  };

  test('ends as RolledBack, with a condition, and marks the set that failed', () => {
    const back = newSet({ revision: 3, desired: 10, lastComplete: 'web-new' });
    const seen = observation({
      deployment: { revision: 3, rollsBackOnFailure: true, rolledBack },
      replicaSets: [back, replicaSet({ revision: 2 })],
    });
    const plan = planDeployment(seen);
    expect(plan.phase).toBe('RolledBack');
    expect(plan.summary).toContain(rolledBack.message);
    expect(plan.actions).toEqual([
      { kind: 'markFailed', name: 'web-old', uid: 'web-old-uid', message: rolledBack.message },
    ]);
    expect(plan.status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'RolledBack', status: 'True', reason: 'PodsCrash' }),
    );
    const marked = {
      ...seen,
      deployment: { ...seen.deployment, status: plan.status ?? emptyStatus },
      replicaSets: [back, replicaSet({ revision: 2, failed: rolledBack.message })],
    };
    expect(isSettled(planDeployment(marked))).toBe(true);
  });

  test('is forgotten when the template changes again', () => {
    const condition = { ...rolling, type: 'RolledBack', reason: 'PodsCrash' };
    const seen = observation({
      deployment: {
        revision: 3,
        rolledBack: { ...rolledBack, to: 'web-old', from: 'web-x' },
        status: { ...emptyStatus, conditions: [condition] },
      },
      replicaSets: [replicaSet({ revision: 3, desired: 10 })],
      atMs: nowMs,
    });
    const plan = planDeployment(seen);
    expect(plan.actions).toContainEqual({ kind: 'clearRollbackNote' });
    expect(plan.status?.conditions.map(({ type }) => type)).not.toContain('RolledBack');
  });
});

const progressed = (name: string): string => `ReplicaSet "${name}" has successfully progressed.`;

describe('a set that is complete', () => {
  const ended: Condition = {
    type: 'Progressing',
    status: 'True',
    reason: 'NewReplicaSetAvailable',
    message: progressed('web-new'),
  };
  const marks = (over: Partial<DeploymentSummary>, set: Partial<ReplicaSetSummary>) =>
    planDeployment(
      observation({
        deployment: { revision: 2, status: { ...emptyStatus, conditions: [ended] }, ...over },
        replicaSets: [newSet({ desired: 10, ...set })],
      }),
    ).actions.filter(({ kind }) => kind === 'markComplete');
  const mark = [{ kind: 'markComplete', name: 'web-new', uid: 'web-new-uid' }];

  test('remembers it where rollbacks are asked for, once', () => {
    expect(marks({ rollsBackOnFailure: true }, {})).toEqual(mark);
    expect(marks({ rollsBackOnFailure: true }, { lastComplete: 'web-new' })).toEqual([]);
    expect(marks({}, {})).toEqual([]);
  });

  test('has not failed any more', () => {
    expect(marks({}, { failed: 'crashed' })).toEqual(mark);
  });

  test('remembers it before a Recreate empties it', () => {
    const seen = observation({
      deployment: {
        rollsBackOnFailure: true,
        strategy: { type: 'Recreate' },
        status: {
          ...emptyStatus,
          conditions: [{ ...ended, message: progressed('web-old') }],
        },
      },
      replicaSets: [replicaSet({ desired: 10 })],
      oldPods: 10,
    });
    expect(planDeployment(seen).actions).toEqual([
      { kind: 'markComplete', name: 'web-old', uid: 'web-old-uid' },
      expect.objectContaining({ kind: 'scaleReplicaSet', name: 'web-old', to: 0 }),
    ]);
  });
});

describe('what a new set remembers', () => {
  const memoryOf = (seen: DeploymentObservation) =>
    planDeployment(seen).actions.find((action) => action.kind === 'createReplicaSet')?.memory;
  const ended: Condition = {
    type: 'Progressing',
    status: 'True',
    reason: 'NewReplicaSetAvailable',
    message: progressed('web-old'),
  };
  const old = replicaSet({ revision: 1, desired: 0 });

  test('the set before it, where that was complete', () => {
    const status = { ...emptyStatus, conditions: [ended] };
    const seen = observation({ deployment: { status }, replicaSets: [old] });
    expect(memoryOf(seen)?.lastComplete).toBe('web-old');
  });

  test('what that one remembers, where its rollout never ended', () => {
    const failing = replicaSet({ revision: 2, desired: 3, available: 0, lastComplete: 'web-good' });
    expect(memoryOf(observation({ replicaSets: [failing] }))?.lastComplete).toBe('web-good');
  });

  test('not one that came so late that the condition speaks of another', () => {
    const status = { ...emptyStatus, conditions: [{ ...ended, message: progressed('web-good') }] };
    const newest = replicaSet({ revision: 2, desired: 3, available: 0, lastComplete: 'web-good' });
    const seen = observation({ deployment: { status }, replicaSets: [newest] });
    expect(memoryOf(seen)?.lastComplete).toBe('web-good');
  });

  test('nothing, for a first one', () => {
    expect(memoryOf(observation({}))).toEqual({
      triggers: ['Manual'],
      beginning: { startedAt: '2026-01-01T12:00:00.000Z' },
    });
  });
});
