import { describe, expect, test } from '@jest/globals';

import { cancelReasons } from '../../../src/domain/deployment-config/cancel-reasons.js';
import { mostTroubles, noteAnswer } from '../../../src/domain/deployment-config/canary-metrics.js';
import {
  countNew,
  type Approval,
  type CanaryNotes,
  type CanaryStage,
  type MetricNotes,
} from '../../../src/domain/deployment-config/canary-strategy.js';
import type {
  ConfigSummary,
  ControllerSummary,
  VersionObservation,
} from '../../../src/domain/deployment-config/observation.js';
import { planVersion } from '../../../src/domain/deployment-config/plan-version.js';
import type { VersionPlan } from '../../../src/domain/deployment-config/plan.js';
import { findCondition } from '../../../src/domain/shared/conditions.js';
import { controller, noStatus, versionObservation, versionsNowMs } from '../../support/versions.js';

const stage = (size: number | string, over: Partial<CanaryStage> = {}): CanaryStage => ({
  size,
  pauseSeconds: 0,
  needsApproval: false,
  isComparison: false,
  metrics: [],
  ...over,
});

const errors = { name: 'errors', max: 0.5, intervalSeconds: 10, count: 2 };

interface Situation {
  readonly stages: readonly CanaryStage[];
  readonly notes?: Partial<CanaryNotes>;
  /** How many pods are new, all of them available; 10 in all. */
  readonly pods?: number;
  readonly own?: Partial<ControllerSummary>;
  readonly old?: Partial<ControllerSummary>;
  readonly config?: Partial<ConfigSummary>;
}

function see({ stages, notes, pods = 0, own, old, config }: Situation): VersionObservation {
  return versionObservation(
    [
      controller({ version: 1, desired: 10 - pods, ...old }),
      controller({
        version: 2,
        phase: 'Running',
        desired: pods,
        strategy: { type: 'Canary', timeoutSeconds: 600, stages },
        canary: { step: 0, metrics: new Map(), ...notes },
        ...own,
      }),
    ],
    config === undefined ? {} : { config },
  );
}

const reached = (secondsAgo: number, over: Partial<CanaryNotes> = {}): Partial<CanaryNotes> => ({
  reachedAtMs: versionsNowMs - secondsAgo * 1_000,
  ...over,
});

const measured = (notes: Partial<MetricNotes>): CanaryNotes['metrics'] =>
  new Map([['errors', { passed: 0, atMs: versionsNowMs, troubles: 0, ...notes }]]);

const actionsOf = ({ actions }: VersionPlan): readonly object[] =>
  actions.filter(({ kind }) => kind !== 'announce');

const eventsOf = ({ actions }: VersionPlan): readonly string[] =>
  actions.flatMap((action) =>
    action.kind === 'announce' ? [`${action.reason}: ${action.note}`] : [],
  );

const goesOn = (plan: VersionPlan): boolean =>
  plan.actions.some((action) => action.kind === 'noteCanary' && action.to.step > action.from);

const progressOf = ({ status }: VersionPlan): string | undefined => {
  const condition = findCondition(status?.conditions ?? [], 'Progressing');
  return condition && `${condition.reason}: ${condition.message}`;
};

describe('the size of a step', () => {
  test.each([
    ['10%', 10, 1],
    ['1%', 10, 1],
    ['25%', 10, 3],
    ['100%', 10, 10],
    [4, 10, 4],
    [4, 3, 3],
    ['50%', 0, 0],
  ])('%p of %i pods is %i', (size, replicas, pods) => {
    expect(countNew(stage(size), replicas)).toBe(pods);
  });
});

describe('on the way to a step', () => {
  const stages = [stage('40%', { needsApproval: true }), stage('60%')];

  test('both sides move within the margins of a rolling update', () => {
    expect(actionsOf(planVersion(see({ stages })))).toEqual([
      expect.objectContaining({ name: 'web-1', from: 10, to: 8 }),
      expect.objectContaining({ name: 'web-2', from: 0, to: 4 }),
    ]);
  });

  test('the old side goes no further than its share', () => {
    const seen = see({ stages, pods: 4, old: { desired: 8 } });
    expect(actionsOf(planVersion(seen))).toEqual([
      expect.objectContaining({ name: 'web-1', from: 8, to: 6 }),
    ]);
  });

  test('says how far it is', () => {
    const seen = see({ stages, pods: 4, own: { available: 3 } });
    expect(planVersion(seen).summary).toBe('Step 1 of 2: 3 of 4 new pods available, 6 old pods.');
    const early = see({ stages, pods: 4, old: { desired: 8, available: 4 } });
    expect(planVersion(early).summary).toContain('8 old pods on the way to 6.');
  });

  test('an overtaken version gives its pods away, and the last complete one is the other side', () => {
    const overtaken = controller({ version: 2, phase: 'Failed', desired: 4 });
    const seen = versionObservation(
      [
        controller({ version: 1, desired: 6 }),
        overtaken,
        controller({
          version: 3,
          phase: 'Running',
          strategy: { type: 'Canary', timeoutSeconds: 600, stages: [stage('10%')] },
        }),
      ],
      { config: { latestVersion: 3 } },
    );
    expect(actionsOf(planVersion(seen))).toEqual([
      expect.objectContaining({ name: 'web-2', from: 4, to: 2 }),
      expect.objectContaining({ name: 'web-3', from: 0, to: 1 }),
      expect.objectContaining({ name: 'web-1', from: 6, to: 9 }),
    ]);
  });

  test.each<[string, Partial<ControllerSummary>, Partial<ConfigSummary>]>([
    ['the first version', { phase: 'Failed', desired: 0 }, {}],
    ['a test', { desired: 0 }, { isTest: true }],
  ])('%s goes straight up', (_what, old, config) => {
    expect(actionsOf(planVersion(see({ stages, old, config })))).toEqual([
      expect.objectContaining({ name: 'web-2', from: 0, to: 10 }),
    ]);
  });
});

describe('a step that has its size', () => {
  test('notes since when, says so, and wakes up when its pause is over', () => {
    const plan = planVersion(see({ stages: [stage(1, { pauseSeconds: 60 })], pods: 1 }));
    expect(actionsOf(plan)).toEqual([
      expect.objectContaining({ kind: 'noteCanary', to: { step: 0, reachedAtMs: versionsNowMs } }),
    ]);
    const sentence = 'Step 1 of 1: 1 of 10 pods are new; waits for 2026-01-01T12:01:00Z';
    expect(plan.summary).toBe(`${sentence}.`);
    expect(eventsOf(plan)).toEqual([`CanaryStepReached: ${sentence}`]);
    expect(progressOf(plan)).toBe(`CanaryStepWaiting: ${sentence}`);
    expect(plan.next).toEqual({ kind: 'wait', untilMs: versionsNowMs + 60_000 });
  });

  test.each([
    [59, false],
    [60, true],
  ])('waits for its pause: %i s of 60', (secondsAgo, isOver) => {
    const stages = [stage(1, { pauseSeconds: 60 })];
    expect(goesOn(planVersion(see({ stages, pods: 1, notes: reached(secondsAgo) })))).toBe(isOver);
  });

  test.each<[Approval | undefined, boolean]>([
    [undefined, false],
    [{ step: 0 }, false],
    [{ step: 1, by: 'ann', reason: 'fine' }, true],
    [{ step: 2 }, false],
  ])('waits for its own approval: %j', (approval, isApproved) => {
    const stages = [stage(1), stage(2, { needsApproval: true })];
    const notes = reached(1, { step: 1, ...(approval === undefined ? {} : { approval }) });
    const plan = planVersion(see({ stages, pods: 2, notes }));
    expect(goesOn(plan)).toBe(isApproved);
    if (isApproved) {
      expect(eventsOf(plan)).toEqual([
        'CanaryApproved: Step 2 of 2 of web-2 is approved by ann: fine',
      ]);
    } else {
      expect(plan.summary).toBe('Step 2 of 2: 2 of 10 pods are new; waits for approval.');
    }
  });

  test('says when what is written as an approval is none', () => {
    const stages = [stage(1, { needsApproval: true })];
    const seen = see({ stages, pods: 1, notes: reached(1, { approvalProblem: 'no JSON' }) });
    expect(planVersion(seen).summary).toContain('waits for approval (no JSON)');
  });

  test('does not go on while a new pod is sick, and then time counts', () => {
    const stages = [stage(2, { pauseSeconds: 60 })];
    const conditions = [
      { type: 'Progressing', status: 'True', reason: 'CanaryStepWaiting', message: '' },
    ] as const;
    const seen = see({
      stages,
      pods: 2,
      notes: reached(3_600),
      own: { available: 1 },
      config: { status: { ...noStatus, conditions } },
    });
    const plan = planVersion(seen);
    expect(goesOn(plan)).toBe(false);
    expect(progressOf(plan)).toContain('ReplicationControllerUpdated');
    expect(plan.next).toEqual({ kind: 'wait', untilMs: versionsNowMs + 600_000 });
  });

  test('has all the time in the world', () => {
    const long = versionsNowMs - 100_000_000;
    const stages = [stage(1, { needsApproval: true })];
    const seen = see({ stages, pods: 1, notes: reached(1), own: { createdAtMs: long } });
    const { status = noStatus } = planVersion({ ...seen, observedAtMs: long });
    const later = planVersion({ ...seen, config: { ...seen.config, status } });
    expect(later).toMatchObject({ phase: 'Running', actions: [], next: { kind: 'wait' } });
  });

  test('follows a new size on both sides', () => {
    const stages = [stage('50%', { needsApproval: true })];
    const seen = see({ stages, pods: 5, notes: reached(1), config: { replicas: 20 } });
    expect(actionsOf(planVersion(seen))).toEqual([
      expect.objectContaining({ name: 'web-2', from: 5, to: 10 }),
      expect.objectContaining({ name: 'web-1', from: 5, to: 10 }),
    ]);
  });

  test('when the last one is passed, all pods are replaced, and not before', () => {
    const stages = [stage('100%', { needsApproval: true })];
    expect(planVersion(see({ stages, pods: 10, notes: reached(1) })).phase).toBe('Running');
    const passed = planVersion(see({ stages, pods: 10, notes: { step: 1 } }));
    expect(passed.phase).toBe('Complete');
    const half = planVersion(see({ stages: [stage('50%')], pods: 5, notes: { step: 1 } }));
    expect(actionsOf(half)).toContainEqual(expect.objectContaining({ name: 'web-1', to: 3 }));
  });
});

describe('a paused config', () => {
  const stages = [stage(1, { pauseSeconds: 60 })];

  test('stops the clock of its step', () => {
    const seen = see({ stages, pods: 1, notes: reached(20), config: { paused: true } });
    const plan = planVersion(seen);
    expect(plan.phase).toBe('Paused');
    expect(actionsOf(plan)).toEqual([
      expect.objectContaining({ kind: 'noteCanary', to: { step: 0, waitedMs: 20_000 } }),
    ]);
    const held = see({ stages, pods: 1, notes: { waitedMs: 20_000 }, config: { paused: true } });
    expect(planVersion(held).actions).toEqual([]);
  });

  test('waits for what is left when it is resumed, and says nothing twice', () => {
    const plan = planVersion(see({ stages, pods: 1, notes: { waitedMs: 20_000 } }));
    expect(plan.next).toEqual({ kind: 'wait', untilMs: versionsNowMs + 40_000 });
    expect(eventsOf(plan)).toEqual([]);
    const later = see({ stages, pods: 1, notes: reached(40, { waitedMs: 20_000 }) });
    expect(goesOn(planVersion(later))).toBe(true);
  });
});

describe('metrics', () => {
  const stages = [stage(1, { metrics: [errors] })];
  const at = (notes: Partial<CanaryNotes>): VersionPlan =>
    planVersion(see({ stages, pods: 1, notes }));

  test('are measured once an interval has passed, and then again', () => {
    expect(at(reached(9)).actions).toEqual([]);
    expect(at(reached(9)).next).toEqual({ kind: 'wait', untilMs: versionsNowMs + 1_000 });
    const due = at(reached(10));
    expect(actionsOf(due)).toEqual([
      { kind: 'measure', name: 'web-2', uid: 'web-2-uid', step: 0, metrics: ['errors'] },
    ]);
    expect(due.next).toEqual({ kind: 'wait', untilMs: versionsNowMs + 10_000 });
    const once = measured({ passed: 1, value: 0.1, atMs: versionsNowMs - 9_000 });
    expect(at(reached(19, { metrics: once })).actions).toEqual([]);
    expect(at(reached(19, { metrics: once })).summary).toContain(
      'waits for metric errors (1 of 2 good, the last 0.1)',
    );
  });

  test('that are good often enough let the step pass', () => {
    expect(goesOn(at(reached(20, { metrics: measured({ passed: 2, value: 0.1 }) })))).toBe(true);
  });

  test('that are out of bounds fail the version', () => {
    const plan = at(reached(20, { metrics: measured({ value: 0.7 }) }));
    const reason = 'metric errors is 0.7, which is more than its max of 0.5';
    expect(plan.phase).toBe('Failed');
    expect(actionsOf(plan)).toEqual([expect.objectContaining({ to: 'Failed', reason })]);
    expect(eventsOf(plan)).toContain(`CanaryMetricFailed: web-2: ${reason}`);
  });

  test('that can’t be measured fail it after a few times in a row', () => {
    const trouble = (troubles: number): VersionPlan =>
      at(reached(20, { metrics: measured({ troubles, problem: 'no value' }) }));
    expect(trouble(mostTroubles - 1).phase).toBe('Running');
    expect(trouble(mostTroubles - 1).summary).toContain(
      "it can't be measured: no value, try 4 of 5",
    );
    expect(trouble(mostTroubles).phase).toBe('Failed');
  });

  test('trouble keeps what was good, and a good answer ends it', () => {
    const first = noteAnswer(errors, undefined, { value: 0.1 }, 1);
    const second = noteAnswer(errors, first, { problem: 'no value' }, 2);
    expect(second).toEqual({ passed: 1, value: 0.1, atMs: 2, troubles: 1, problem: 'no value' });
    const third = noteAnswer(errors, second, { value: 0.5 }, 3);
    expect(third).toEqual({ passed: 2, value: 0.5, atMs: 3, troubles: 0 });
    expect(noteAnswer(errors, third, { value: 0.51 }, 4).passed).toBe(0);
    expect(noteAnswer({ ...errors, min: 0.2 }, third, { value: 0.1 }, 4).passed).toBe(0);
  });
});

describe('a comparison', () => {
  const stages = [stage('30%', { isComparison: true })];
  const at = (approval?: Approval, over: Partial<Situation> = {}): VersionPlan =>
    planVersion(
      see({
        stages,
        pods: 3,
        notes: reached(1, approval === undefined ? {} : { approval }),
        ...over,
      }),
    );

  test('holds both sides until somebody says who wins', () => {
    expect(at().summary).toBe('A/B: 3 of 10 pods are new; waits for a winner.');
    expect(at().actions).toEqual([]);
    expect(goesOn(at({ step: 0 }))).toBe(false);
  });

  test('goes on with the new side', () => {
    expect(goesOn(at({ step: 0, winner: 'new' }))).toBe(true);
    expect(goesOn(at({ step: 0, winner: 'new' }, { own: { available: 2 } }))).toBe(true);
  });

  test('goes back to the old side, which is no failure of the new one', () => {
    const plan = at({ step: 0, winner: 'old' });
    expect(plan.phase).toBe('Cancelled');
    expect(actionsOf(plan)).toEqual([
      expect.objectContaining({ to: 'Failed', reason: cancelReasons.oldWon }),
    ]);
    expect(progressOf(plan)).toContain('RolloutCancelled');
  });

  test('is no failure when a pod falls sick meanwhile, for however long', () => {
    const plan = at(undefined, {
      own: { available: 2, createdAtMs: versionsNowMs - 100_000_000 },
    });
    expect(plan).toMatchObject({ phase: 'Running', next: { kind: 'wait' } });
    expect(progressOf(plan)).toContain('CanaryStepWaiting');
  });
});
