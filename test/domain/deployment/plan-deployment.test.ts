import { describe, expect, test } from '@jest/globals';

import type { Condition } from '../../../src/domain/shared/conditions.js';
import type {
  DeploymentObservation,
  ReplicaSetSummary,
} from '../../../src/domain/deployment/observation.js';
import { planDeployment } from '../../../src/domain/deployment/plan-deployment.js';
import { planStandstill } from '../../../src/domain/deployment/plan-standstill.js';
import { hasWork, isSettled } from '../../../src/domain/deployment/plan.js';
import { emptyStatus, newSet, nowMs, observation, replicaSet } from '../../support/observations.js';

const progressing = (reason: string, over: Partial<Condition> = {}): Condition => ({
  type: 'Progressing',
  status: 'True',
  reason,
  lastUpdateTime: '2026-01-01T11:59:00Z',
  lastTransitionTime: '2026-01-01T11:59:00Z',
  ...over,
});

/** Writes the planned status back, as the next look would find it. */
function afterStatus(seen: DeploymentObservation): DeploymentObservation {
  const { status } = planDeployment(seen);
  if (status === undefined) return seen;
  return { ...seen, deployment: { ...seen.deployment, status } };
}

const reasonOf = (seen: DeploymentObservation): string | undefined =>
  planDeployment(seen).status?.conditions.find(({ type }) => type === 'Progressing')?.reason;

const complete = observation({
  deployment: { revision: 2 },
  replicaSets: [newSet({ desired: 10 }), replicaSet({ desired: 0 })],
});

describe('a first rollout', () => {
  const seen = observation({ deployment: { revision: 0 } });

  test('creates its ReplicaSet and records revision 1', () => {
    expect(planDeployment(seen)).toMatchObject({
      phase: 'Progressing',
      revision: 1,
      actions: [
        { kind: 'recordRevision', revision: 1 },
        {
          kind: 'createReplicaSet',
          name: 'web-new',
          replicas: 10,
          revision: 1,
          sizes: { desired: 10, max: 13 },
        },
      ],
      next: { kind: 'wait', untilMs: nowMs + 600_000 },
    });
    expect(reasonOf(seen)).toBe('NewReplicaSetCreated');
  });

  test('of no pods is complete once its set is there', () => {
    const empty = observation({ deployment: { revision: 0, replicas: 0 } });
    expect(planDeployment(empty).phase).toBe('Progressing');
    const made = observation({
      deployment: { revision: 1, replicas: 0 },
      replicaSets: [newSet({ revision: 1, annotatedDesired: 0 })],
    });
    expect(planDeployment(made).phase).toBe('Complete');
  });
});

describe('a rolling update', () => {
  const describeActions = (...replicaSets: readonly ReplicaSetSummary[]): readonly string[] =>
    planDeployment(observation({ replicaSets })).actions.map((action) =>
      action.kind === 'createReplicaSet'
        ? `create ${action.replicas}`
        : action.kind === 'scaleReplicaSet'
          ? `${action.from} to ${action.to}`
          : action.kind,
    );

  test('makes the new set without pods when it needs the room of others', () => {
    const steps = describeActions(replicaSet({ desired: 10 }));
    expect(steps).toEqual(['recordRevision', 'create 0']);
  });

  test('makes it with pods when there are no others', () => {
    expect(describeActions()).toContain('create 10');
  });

  test('shrinks the old set and lets the new one grow into its room in one step', () => {
    const steps = describeActions(newSet({ desired: 0 }), replicaSet({ desired: 10 }));
    expect(steps.filter((step) => step.includes('to'))).toEqual(['10 to 8', '0 to 5']);
  });

  test('waits without a word when nothing has changed', () => {
    const seen = afterStatus(
      observation({
        deployment: {
          revision: 2,
          status: { ...emptyStatus, conditions: [progressing('ReplicaSetUpdated')] },
        },
        replicaSets: [newSet({ desired: 5, available: 0 }), replicaSet({ desired: 8 })],
      }),
    );
    const plan = planDeployment(seen);
    expect(plan).toMatchObject({ actions: [], phase: 'Progressing' });
    expect(hasWork(plan)).toBe(false);
  });

  test('is complete when all pods are new and available, and is settled once that is written', () => {
    expect(planDeployment(complete)).toMatchObject({ phase: 'Complete', next: { kind: 'end' } });
    expect(reasonOf(complete)).toBe('NewReplicaSetAvailable');
    expect(isSettled(planDeployment(complete))).toBe(false);
    expect(isSettled(planDeployment(afterStatus(complete)))).toBe(true);
  });

  test('clears away what the history has no place for, when it is complete', () => {
    const seen = { ...complete, deployment: { ...complete.deployment, revisionHistoryLimit: 0 } };
    expect(planDeployment(seen).actions).toEqual([
      { kind: 'deleteReplicaSet', name: 'web-old', uid: 'web-old-uid' },
    ]);
  });
});

describe('a recreate', () => {
  const deployment = { strategy: { type: 'Recreate' } } as const;

  test('first sends all old pods away', () => {
    const seen = observation({
      deployment,
      replicaSets: [replicaSet({ desired: 10 })],
      oldPods: 10,
    });
    expect(planDeployment(seen).actions).toEqual([
      {
        kind: 'scaleReplicaSet',
        name: 'web-old',
        uid: 'web-old-uid',
        from: 10,
        to: 0,
        sizes: { desired: 10, max: 10 },
      },
    ]);
  });

  test('creates nothing while one old pod is left', () => {
    const seen = observation({ deployment, replicaSets: [replicaSet({ desired: 0 })], oldPods: 1 });
    expect(planDeployment(seen)).toMatchObject({ actions: [], next: { kind: 'wait' } });
    expect(planDeployment(seen).summary).toContain('Waiting until 1 old pods are gone');
  });

  test('nor while a set still counts some, or has not been heard of since', () => {
    for (const over of [{ replicas: 1 }, { statusIsCurrent: false }]) {
      const leaving = [replicaSet({ desired: 0, ...over })];
      const seen = observation({ deployment, replicaSets: leaving, oldPods: 0 });
      expect(planDeployment(seen).actions).toEqual([]);
    }
  });

  test('without pods is not available', () => {
    const seen = observation({ deployment, replicaSets: [replicaSet({ desired: 0 })], oldPods: 0 });
    const available = planDeployment(seen).status?.conditions.find(
      ({ type }) => type === 'Available',
    );
    expect(available?.status).toBe('False');
  });

  test('then creates the new set at full size', () => {
    const seen = observation({ deployment, replicaSets: [replicaSet({ desired: 0 })], oldPods: 0 });
    expect(planDeployment(seen).actions).toContainEqual(
      expect.objectContaining({ kind: 'createReplicaSet', replicas: 10 }),
    );
  });
});

describe('revisions', () => {
  test('going back to an old set gives it the next number', () => {
    const seen = observation({
      deployment: {
        revision: 2,
        status: { ...emptyStatus, conditions: [progressing('NewReplicaSetAvailable')] },
      },
      replicaSets: [newSet({ revision: 1, desired: 0 }), replicaSet({ revision: 2, desired: 10 })],
    });
    const { actions, revision } = planDeployment(seen);
    expect(revision).toBe(3);
    expect(actions).toContainEqual({
      kind: 'syncReplicaSet',
      name: 'web-new',
      uid: 'web-new-uid',
      revision: 3,
      memory: {
        triggers: ['Manual'],
        lastComplete: 'web-old',
        beginning: {
          startedAt: '2026-01-01T12:00:00.000Z',
          backTo: 1,
          from: { name: 'web-old', revision: 2 },
        },
      },
    });
    expect(actions).toContainEqual({ kind: 'recordRevision', revision: 3 });
    expect(reasonOf(seen)).toBe('FoundNewReplicaSet');
  });

  test('what the Deployment hands down is kept in step', () => {
    const seen = observation({
      deployment: { revision: 2 },
      replicaSets: [newSet({ desired: 10, inSync: false }), replicaSet()],
    });
    expect(planDeployment(seen).actions).toContainEqual(
      expect.objectContaining({ kind: 'syncReplicaSet', revision: 2 }),
    );
  });
});

describe('a pause', () => {
  const midway = [newSet({ desired: 5 }), replicaSet({ desired: 8 })];

  test('stops every move and says why', () => {
    const seen = observation({
      deployment: { revision: 2, paused: true, pauseReason: 'lunch' },
      replicaSets: midway,
    });
    const plan = planDeployment(seen);
    expect(plan).toMatchObject({ phase: 'Paused', actions: [], next: { kind: 'wait' } });
    expect(plan.summary).toBe(
      'Paused (lunch) at 5 of 10 new pods available, 8 old pods left. Resume it to go on.',
    );
    expect(plan.next).not.toHaveProperty('untilMs');
    expect(reasonOf(seen)).toBe('DeploymentPaused');
  });

  test('creates no set for a new template', () => {
    const seen = observation({
      deployment: { paused: true },
      replicaSets: [replicaSet({ desired: 10 })],
    });
    expect(planDeployment(seen)).toMatchObject({ phase: 'Paused', actions: [], revision: 1 });
  });

  test('still lets it be scaled', () => {
    const seen = observation({
      deployment: { revision: 2, paused: true, replicas: 20 },
      replicaSets: midway,
    });
    expect(planDeployment(seen).actions).toHaveLength(2);
  });

  test('lets it be scaled from nothing, too', () => {
    const seen = observation({
      deployment: { revision: 2, paused: true, replicas: 3 },
      replicaSets: [newSet({ desired: 0 }), replicaSet({ desired: 0 })],
    });
    expect(planDeployment(seen).actions).toContainEqual(
      expect.objectContaining({ kind: 'scaleReplicaSet', name: 'web-new', to: 3 }),
    );
  });

  test('leaves no note behind when it is over', () => {
    const seen = observation({
      deployment: { revision: 2, cancelReason: 'wrong image' },
      replicaSets: [newSet({ desired: 10 })],
    });
    expect(planDeployment(seen).actions).toContainEqual({ kind: 'clearPauseNotes' });
  });

  test('of what is complete holds no run open', () => {
    const seen = afterStatus({ ...complete, deployment: { ...complete.deployment, paused: true } });
    expect(isSettled(planDeployment(seen))).toBe(true);
  });

  test('that is a cancellation ends the run', () => {
    const seen = observation({
      deployment: { revision: 2, paused: true, cancelReason: 'wrong image' },
      replicaSets: midway,
    });
    expect(planDeployment(seen)).toMatchObject({ phase: 'Cancelled', next: { kind: 'end' } });
    expect(isSettled(planDeployment(afterStatus(seen)))).toBe(true);
  });

  test('when it is over the deadline begins anew', () => {
    const seen = observation({
      deployment: {
        revision: 2,
        status: {
          ...emptyStatus,
          conditions: [progressing('DeploymentPaused', { status: 'Unknown' })],
        },
      },
      replicaSets: [
        newSet({ desired: 5, replicas: 0, ready: 0, available: 0 }),
        replicaSet({ desired: 8, replicas: 0, ready: 0, available: 0 }),
      ],
    });
    expect(reasonOf(seen)).toBe('DeploymentResumed');
    expect(planDeployment(seen).next).toEqual({ kind: 'wait', untilMs: nowMs + 600_000 });
  });
});

describe('the deadline', () => {
  const stuck = afterStatus(
    observation({
      deployment: {
        revision: 2,
        status: { ...emptyStatus, conditions: [progressing('NewReplicaSetCreated')] },
      },
      replicaSets: [newSet({ desired: 5, available: 0, ready: 0 }), replicaSet({ desired: 8 })],
    }),
  );
  const late = { ...stuck, observedAtMs: nowMs + 601_000 };

  test('is waited for', () => {
    expect(planDeployment(stuck).next).toEqual({ kind: 'wait', untilMs: nowMs + 600_000 });
  });

  test('once missed, the rollout has failed, and stays failed', () => {
    expect(planDeployment(late)).toMatchObject({ phase: 'Failed', next: { kind: 'end' } });
    expect(reasonOf(late)).toBe('ProgressDeadlineExceeded');
    const written = afterStatus(late);
    expect(isSettled(planDeployment(written))).toBe(true);
    expect(isSettled(planDeployment({ ...written, observedAtMs: nowMs + 9_000_000 }))).toBe(true);
  });

  test('a pod that comes after all gets it going again', () => {
    const written = afterStatus(late);
    const moved = {
      ...written,
      replicaSets: [newSet({ desired: 5, available: 1, ready: 1 }), replicaSet({ desired: 8 })],
    };
    expect(planDeployment(moved).phase).toBe('Progressing');
  });

  test('a new template after a failure starts afresh', () => {
    const written = afterStatus(late);
    const next = {
      ...written,
      replicaSets: written.replicaSets.map((set) => ({ ...set, isNew: false })),
    };
    expect(planDeployment(next).phase).toBe('Progressing');
    expect(reasonOf(next)).toBe('NewReplicaSetCreated');
  });

  test('without one there is no Progressing condition', () => {
    const { progressDeadlineSeconds: _deadline, ...deployment } = stuck.deployment;
    const plan = planDeployment({ ...stuck, deployment });
    expect(plan.status?.conditions.map(({ type }) => type)).toEqual(['Available']);
  });
});

describe('what can not be done', () => {
  test('a template the apiserver would not have: says so and touches nothing', () => {
    const problem = 'spec.template.spec.containers[0].image: Required value';
    const seen = observation({
      deployment: { problem },
      replicaSets: [replicaSet({ desired: 10 })],
    });
    const plan = planDeployment(seen);
    expect(plan).toMatchObject({ phase: 'Failed', next: { kind: 'end' } });
    expect(plan.actions).toEqual([
      { kind: 'announce', type: 'Warning', reason: 'InvalidTemplate', note: problem },
    ]);
    expect(plan.summary).toContain(problem);
    expect(reasonOf(seen)).toBe('InvalidTemplate');
    expect(isSettled(planDeployment(afterStatus(seen)))).toBe(true);
  });

  test('the next problem is named when the first is mended', () => {
    const first = afterStatus(observation({ deployment: { problem: 'spec.a: is wrong' } }));
    const second = { ...first, deployment: { ...first.deployment, problem: 'spec.b: is wrong' } };
    expect(planDeployment(second).status?.conditions).toContainEqual(
      expect.objectContaining({ message: 'spec.b: is wrong' }),
    );
  });

  test('a refusal becomes a condition', () => {
    const plan = planStandstill(observation({}), 'ReplicaSetCreateError', 'exceeded quota');
    expect(plan.status?.conditions).toContainEqual(
      expect.objectContaining({
        type: 'Progressing',
        status: 'False',
        reason: 'ReplicaSetCreateError',
        message: 'exceeded quota',
      }),
    );
  });
});

test('orphans are adopted before anything else', () => {
  const seen = observation({ replicaSets: [replicaSet({ desired: 10, isOrphan: true })] });
  expect(planDeployment(seen).actions).toEqual([
    { kind: 'adoptReplicaSet', name: 'web-old', uid: 'web-old-uid' },
  ]);
});

test('a Deployment that is being deleted is left alone', () => {
  const seen = observation({
    deployment: { beingDeleted: true },
    replicaSets: [replicaSet({ desired: 10 })],
  });
  expect(isSettled(planDeployment(seen))).toBe(true);
});

test('a changed strategy in mid-scaling does not get stuck', () => {
  const seen = observation({
    deployment: { revision: 2, replicas: 20, strategy: { type: 'Recreate' } },
    replicaSets: [newSet({ desired: 5 }), replicaSet({ desired: 8 })],
    oldPods: 8,
  });
  expect(planDeployment(seen).actions).toContainEqual(
    expect.objectContaining({ kind: 'scaleReplicaSet', name: 'web-old', to: 0 }),
  );
});

describe('the status', () => {
  test('counts the pods of all its sets', () => {
    const seen = observation({
      deployment: { revision: 2, generation: 7 },
      replicaSets: [
        newSet({ desired: 5, replicas: 5, ready: 4, available: 3, terminating: 0 }),
        replicaSet({ desired: 8, replicas: 8, ready: 8, available: 8, terminating: 2 }),
      ],
    });
    expect(planDeployment(seen).status).toMatchObject({
      observedGeneration: 7,
      replicas: 13,
      updatedReplicas: 5,
      readyReplicas: 12,
      availableReplicas: 11,
      unavailableReplicas: 2,
      terminatingReplicas: 2,
    });
  });

  test('is available from the floor on', () => {
    const at = (available: number) =>
      planDeployment(
        observation({
          deployment: { revision: 2 },
          replicaSets: [newSet({ desired: 10, available })],
        }),
      ).status?.conditions.find(({ type }) => type === 'Available')?.status;
    expect([at(7), at(8)]).toEqual(['False', 'True']);
  });

  test('passes on why pods can not be created', () => {
    const failure = { reason: 'FailedCreate', message: 'no quota' };
    const seen = observation({
      deployment: { revision: 2 },
      replicaSets: [newSet({ desired: 10, replicas: 0, ready: 0, available: 0, failure })],
    });
    expect(planDeployment(seen).status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'ReplicaFailure', status: 'True', ...failure }),
    );
    expect(planDeployment(seen).summary).toContain('no quota');
  });

  test('keeps conditions that others have set', () => {
    const alien: Condition = { type: 'Verified', status: 'True' };
    const seen = observation({ deployment: { status: { ...emptyStatus, conditions: [alien] } } });
    expect(planDeployment(seen).status?.conditions).toContainEqual(alien);
  });
});
