import { defined } from '../shared/optional.js';
import { announce } from './announce.js';
import { findMetricFailure, isMeasured, measureAtMs } from './canary-metrics.js';
import {
  approvalOf,
  findCanaryScene,
  isAtSize,
  isPauseOver,
  pauseEndMs,
  waitedBy,
  type CanaryScene,
} from './canary-scene.js';
import { planSharedSizes } from './canary-sizes.js';
import { cancelReasons } from './cancel-reasons.js';
import { describeStep, nameStep } from './describe-canary.js';
import type { ControllerSummary, VersionObservation } from './observation.js';
import type { VersionAction } from './plan.js';

/** What a version does at the step of its canary that it has come to. */
export type CanaryTurn =
  /** Pods have to come or go, and the time that they have for it counts. */
  | { readonly kind: 'move'; readonly actions: readonly VersionAction[]; readonly summary: string }
  /** The step has its size and waits; no deadline counts meanwhile. */
  | {
      readonly kind: 'hold';
      readonly actions: readonly VersionAction[];
      readonly summary: string;
      /** When the wait is over, or there is something to measure. */
      readonly untilMs?: number;
    }
  | { readonly kind: 'fail'; readonly actions: readonly VersionAction[]; readonly reason: string };

/**
 * The next move of a version of strategy Canary; undefined where it has no steps to go, any more: then
 * pods are replaced as in a rolling update. That is also so where there is nothing to compare with.
 */
export function planCanary(
  seen: VersionObservation,
  own: ControllerSummary,
  others: readonly ControllerSummary[],
): CanaryTurn | undefined {
  const scene = findCanaryScene(seen, own, others);
  if (scene === undefined) return undefined;
  if (seen.config.paused) return stopClock(scene);
  return findFailure(scene) ?? (isHeld(scene) ? hold(scene) : move(scene));
}

/** While a config is paused, no time passes for its steps either. */
function stopClock(scene: CanaryScene): CanaryTurn {
  const { reachedAtMs, step } = scene.notes;
  const isRunning = reachedAtMs !== undefined;
  return {
    kind: 'hold',
    actions: isRunning ? [note(scene, { step, waitedMs: waitedBy(scene) })] : [],
    summary: describeStep(scene),
  };
}

function findFailure(scene: CanaryScene): CanaryTurn | undefined {
  const { stage, notes, own } = scene;
  for (const rule of stage.metrics) {
    const reason = findMetricFailure(rule, notes.metrics.get(rule.name));
    if (reason === undefined) continue;
    const actions = [announce('CanaryMetricFailed', `${own.name}: ${reason}`, 'Warning')];
    return { kind: 'fail', reason, actions };
  }
  if (!stage.isComparison || approvalOf(scene)?.winner !== 'old') return undefined;
  const actions = [announceApproval(scene, `The old side has won against ${own.name}`)];
  return { kind: 'fail', reason: cancelReasons.oldWon, actions };
}

/** Both sides may be compared for days; a pod that falls sick in that time is no failure of the version. */
function isHeld(scene: CanaryScene): boolean {
  const { stage, notes } = scene;
  return isAtSize(scene) || (stage.isComparison && notes.reachedAtMs !== undefined);
}

const move = (scene: CanaryScene): CanaryTurn => ({
  kind: 'move',
  actions: planSizes(scene),
  summary: describeStep(scene),
});

function planSizes({ seen, own, serving, rest, ...scene }: CanaryScene): readonly VersionAction[] {
  return planSharedSizes(seen.config.replicas, [
    ...rest.toSorted((a, b) => a.version - b.version).map((set) => ({ set, goal: 0 })),
    { set: own, goal: scene.newSize, isNew: true },
    { set: serving, goal: scene.oldSize },
  ]).map(({ set: { name, uid, desired: from }, to }) => ({
    kind: 'scaleController',
    name,
    uid,
    from,
    to,
  }));
}

function hold(scene: CanaryScene): CanaryTurn {
  const { notes, stage } = scene;
  const summary = describeStep(scene);
  if (notes.reachedAtMs === undefined) return beginWait(scene, summary);
  const isThere = isAtSize(scene);
  // Whoever has won a comparison goes on, be a pod of it sick or not.
  if (isPassed(scene) && (isThere || stage.isComparison)) {
    const actions = [note(scene, { step: notes.step + 1 }), announcePass(scene)];
    return { kind: 'hold', actions, summary };
  }
  if (!isThere) return { kind: 'hold', actions: planSizes(scene), summary };
  return { kind: 'hold', actions: planMeasurements(scene), summary, ...wakeAt(scene) };
}

/** The wait counts from the moment in which the step first had its size. */
function beginWait(scene: CanaryScene, summary: string): CanaryTurn {
  const { seen, notes } = scene;
  const { step, waitedMs } = notes;
  const reachedAtMs = seen.observedAtMs;
  const news = waitedMs === undefined ? [announce('CanaryStepReached', summary)] : [];
  return {
    kind: 'hold',
    actions: [note(scene, { step, reachedAtMs, ...defined({ waitedMs }) }), ...news],
    summary,
    ...wakeAt({ ...scene, notes: { ...notes, reachedAtMs } }),
  };
}

function planMeasurements(scene: CanaryScene): readonly VersionAction[] {
  const { seen, own, notes } = scene;
  const metrics = openMetrics(scene)
    .filter(({ dueMs }) => dueMs <= seen.observedAtMs)
    .map(({ name }) => name);
  if (metrics.length === 0) return [];
  return [{ kind: 'measure', name: own.name, uid: own.uid, step: notes.step, metrics }];
}

/** When there is something to do next if nothing else happens; what is due now is done by then. */
function wakeAt(scene: CanaryScene): { readonly untilMs?: number } {
  const { observedAtMs } = scene.seen;
  const times = openMetrics(scene).map(({ dueMs, intervalMs }) =>
    dueMs <= observedAtMs ? observedAtMs + intervalMs : dueMs,
  );
  if (!isPauseOver(scene)) times.push(pauseEndMs(scene));
  return times.length === 0 ? {} : { untilMs: Math.min(...times) };
}

function openMetrics({ stage, notes, seen }: CanaryScene): readonly {
  readonly name: string;
  readonly dueMs: number;
  readonly intervalMs: number;
}[] {
  return stage.metrics
    .filter((rule) => !isMeasured(rule, notes.metrics.get(rule.name)))
    .map((rule) => ({
      name: rule.name,
      dueMs: measureAtMs(
        rule,
        notes.metrics.get(rule.name),
        notes.reachedAtMs ?? seen.observedAtMs,
      ),
      intervalMs: rule.intervalSeconds * 1_000,
    }));
}

function isPassed(scene: CanaryScene): boolean {
  const { stage } = scene;
  const approval = approvalOf(scene);
  return (
    isPauseOver(scene) &&
    (!stage.needsApproval || approval !== undefined) &&
    (!stage.isComparison || approval?.winner === 'new') &&
    openMetrics(scene).length === 0
  );
}

function note(
  { own: { name, uid }, notes: { step: from } }: CanaryScene,
  to: Extract<VersionAction, { kind: 'noteCanary' }>['to'],
): VersionAction {
  return { kind: 'noteCanary', name, uid, from, to };
}

function announcePass(scene: CanaryScene): VersionAction {
  const { stage, own } = scene;
  if (stage.isComparison) return announceApproval(scene, `The new side has won with ${own.name}`);
  const step = `${nameStep(scene)} of ${own.name}`;
  return stage.needsApproval
    ? announceApproval(scene, `${step} is approved`)
    : announce('CanaryStepPassed', `${step} is passed`);
}

function announceApproval(scene: CanaryScene, what: string): VersionAction {
  const { by, reason } = approvalOf(scene) ?? {};
  const who = by === undefined ? '' : ` by ${by}`;
  const why = reason === undefined ? '' : `: ${reason}`;
  return announce('CanaryApproved', `${what}${who}${why}`);
}
