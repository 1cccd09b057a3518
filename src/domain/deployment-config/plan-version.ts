import { canonicalJson } from '../shared/canonical-json.js';
import type { Next } from '../shared/next.js';
import { defined } from '../shared/optional.js';
import { cancelReasons } from './cancel-reasons.js';
import {
  computeStatus,
  countPods,
  deadlineMs,
  isMoving,
  type VersionProgress,
} from './compute-status.js';
import { describeVersion } from './describe-version.js';
import {
  isOver,
  type ConfigStatus,
  type ControllerSummary,
  type VersionObservation,
  type VersionPhase,
} from './observation.js';
import { planCanary, type CanaryTurn } from './plan-canary.js';
import { planCleanup } from './plan-cleanup.js';
import { planEmpty, planShift, planStrategyStep, targetOf } from './plan-sizes.js';
import type { VersionAction, VersionPlan, VersionRunPhase } from './plan.js';

/**
 * The next step of one version of a DeploymentConfig, from what was observed. The same observation always
 * gives the same plan, and a plan carried out twice changes nothing the second time. Only the latest
 * version moves pods; one that was overtaken says so and ends.
 */
export function planVersion(seen: VersionObservation): VersionPlan {
  const { config, controllers, version } = seen;
  if (config.beingDeleted) return planFarewell();
  const own = controllers.find((controller) => controller.version === version);
  const others = controllers.filter((controller) => controller.version !== version);
  if (own === undefined) return planBeginning(seen, others);
  if (own.phase === 'Failed' && own.isRetried && isLatest(seen)) {
    return moveOn(seen, own, 'New');
  }
  if (isOver(own.phase)) return planUpkeep(seen, own, others);
  const obstacle = findObstacle(seen, own, others);
  if (obstacle !== undefined) return moveOn(seen, own, 'Failed', obstacle);
  switch (own.phase) {
    case 'New':
      return planStart(seen, own, others);
    case 'Pending':
      return moveOn(seen, own, 'Running');
    default:
      return planRollout(seen, own, others);
  }
}

const isLatest = ({ config, version }: VersionObservation): boolean =>
  version === config.latestVersion;

function planFarewell(): VersionPlan {
  return {
    phase: 'Deleted',
    summary: 'The DeploymentConfig is being deleted: nothing is left to do.',
    actions: [],
    next: { kind: 'end' },
  };
}

/** A version begins when no other is under way. */
function planBeginning(
  seen: VersionObservation,
  others: readonly ControllerSummary[],
): VersionPlan {
  const { version, controllerName } = seen;
  if (!isLatest(seen)) return { ...planFarewell(), summary: `Version ${version} is gone.` };
  const running = others.filter(({ phase }) => !isOver(phase));
  if (running.length > 0) return summarise(seen, undefined, planCancellations(running));
  return summarise(seen, undefined, [
    { kind: 'createController', name: controllerName, version },
    announce('DeploymentCreated', `Created new replication controller "${controllerName}"`),
  ]);
}

function planStart(
  seen: VersionObservation,
  own: ControllerSummary,
  others: readonly ControllerSummary[],
): VersionPlan {
  const running = others.filter(({ phase }) => !isOver(phase));
  if (running.length > 0) return summarise(seen, own, planCancellations(running));
  return seen.config.paused ? summarise(seen, own, []) : moveOn(seen, own, 'Pending');
}

const planCancellations = (running: readonly ControllerSummary[]): readonly VersionAction[] =>
  running
    .filter(({ isCancelled }) => !isCancelled)
    .map(({ name, uid }) => ({
      kind: 'cancelController',
      name,
      uid,
      reason: cancelReasons.newerFound,
    }));

/** What keeps a version from going on, if anything does. */
function findObstacle(
  seen: VersionObservation,
  own: ControllerSummary,
  others: readonly ControllerSummary[],
): string | undefined {
  if (own.isCancelled) return own.statusReason ?? cancelReasons.byUser;
  if (!isLatest(seen)) return cancelReasons.newerFound;
  if (own.strategy.type === 'Unknown') {
    return `spec.strategy.type: ${own.strategy.name} is not a strategy that this worker can carry out`;
  }
  const isHeld = planCanary(seen, own, others)?.kind === 'hold';
  const untilMs = own.phase === 'Running' && !isHeld ? deadlineMs(seen, own) : undefined;
  const isLate =
    untilMs !== undefined && seen.observedAtMs >= untilMs && !isMoving(seen, countPods(seen));
  if (!isLate) return undefined;
  return own.failure === undefined
    ? cancelReasons.timedOut
    : `${cancelReasons.timedOut}: ${own.failure.message}`;
}

function planRollout(
  seen: VersionObservation,
  own: ControllerSummary,
  others: readonly ControllerSummary[],
): VersionPlan {
  const turn = planCanary(seen, own, others);
  if (turn?.kind === 'fail') return moveOn(seen, own, 'Failed', turn.reason, turn.actions);
  if (turn !== undefined) return summarise(seen, own, turn.actions, 'wait', turn);
  if (isRolledOut(seen, own, others)) return moveOn(seen, own, 'Complete');
  if (seen.config.paused) return summarise(seen, own, []);
  return summarise(seen, own, planStrategyStep(seen, own, others));
}

function isRolledOut(
  seen: VersionObservation,
  own: ControllerSummary,
  others: readonly ControllerSummary[],
): boolean {
  const target = targetOf(seen);
  return (
    own.statusIsCurrent &&
    own.desired === target &&
    own.available === target &&
    others.every(({ desired, replicas }) => desired === 0 && replicas === 0)
  );
}

/**
 * Keeps the sizes right when a version is over: all pods belong to the last one that was complete, which
 * is this one or, after a failure, an earlier one.
 */
function planUpkeep(
  seen: VersionObservation,
  own: ControllerSummary,
  others: readonly ControllerSummary[],
): VersionPlan {
  if (!isLatest(seen)) return summarise(seen, own, [], 'end');
  const all = [own, ...others];
  const serving = all
    .filter(({ phase }) => phase === 'Complete')
    .sort((a, b) => b.version - a.version)[0];
  const rest = all.filter((controller) => controller !== serving);
  const sizes =
    serving === undefined || seen.config.isTest ? planEmpty(all) : planShift(seen, serving, rest);
  const cleanup = sizes.length === 0 ? planCleanup(seen.config, rest) : [];
  return summarise(
    seen,
    own,
    [...sizes, ...cleanup],
    isAtRest(seen, serving, rest) ? 'end' : 'wait',
  );
}

function isAtRest(
  seen: VersionObservation,
  serving: ControllerSummary | undefined,
  rest: readonly ControllerSummary[],
): boolean {
  const isEmpty = (controller: ControllerSummary): boolean =>
    controller.desired === 0 && controller.replicas === 0;
  if (serving === undefined) return rest.every(isEmpty);
  const target = seen.config.isTest ? 0 : targetOf(seen);
  return serving.desired === target && serving.available === target && rest.every(isEmpty);
}

/** A move to another phase is all of its plan, so that what comes of it is seen first. */
function moveOn(
  seen: VersionObservation,
  own: ControllerSummary,
  to: VersionPhase,
  reason?: string,
  news: readonly VersionAction[] = [],
): VersionPlan {
  const { name, uid, phase: from } = own;
  const move = { kind: 'setPhase', name, uid, from, to } as const;
  const plan = summarise(seen, own, [
    reason === undefined ? move : { ...move, reason },
    ...news,
    ...announcePhase(own, to, reason),
  ]);
  return plan;
}

function announcePhase(
  { name }: ControllerSummary,
  to: VersionPhase,
  reason: string | undefined,
): readonly VersionAction[] {
  switch (to) {
    case 'Pending':
      return [announce('DeploymentPending', `Rollout of "${name}" is about to begin`)];
    case 'Running':
      return [announce('RolloutStarted', `Rollout of "${name}" has begun`)];
    case 'Complete':
      return [announce('RolloutComplete', `Rollout of "${name}" is complete`)];
    case 'Failed':
      return [
        announce('RolloutFailed', `Rollout of "${name}" has failed: ${reason ?? ''}`, 'Warning'),
      ];
    case 'New':
      return [announce('RolloutRetried', `Rollout of "${name}" is tried again`)];
  }
}

const announce = (
  reason: string,
  note: string,
  type: 'Normal' | 'Warning' = 'Normal',
): VersionAction => ({ kind: 'announce', type, reason, note });

function summarise(
  seen: VersionObservation,
  own: ControllerSummary | undefined,
  actions: readonly VersionAction[],
  next: 'wait' | 'end' = 'wait',
  turn?: Exclude<CanaryTurn, { kind: 'fail' }>,
): VersionPlan {
  const move = actions.find((action) => action.kind === 'setPhase');
  const phase = move?.to ?? own?.phase;
  const failure = move?.reason ?? own?.statusReason;
  const isCancelled = own?.isCancelled === true || isCalledOff(failure);
  const at = defined({ phase });
  const waiting = turn?.kind === 'hold' ? turn.summary : undefined;
  const status = planStatus(seen, { isCancelled, ...at, ...defined({ failure, waiting }) });
  // The status that is written with the plan says since when time counts.
  const after = status === undefined ? seen : { ...seen, config: { ...seen.config, status } };
  const mover = move === undefined ? own : undefined;
  return {
    phase: namePhase(seen, phase, isCancelled),
    summary: describeVersion(seen, { actions, ...at, ...defined({ step: turn?.summary }) }),
    actions,
    ...defined({ status }),
    next: next === 'end' ? { kind: 'end' } : planWait(after, mover, turn),
  };
}

/** Whether it was stopped, and not that it could not go on. */
const isCalledOff = (failure: string | undefined): boolean =>
  failure === cancelReasons.newerFound || failure === cancelReasons.oldWon;

function namePhase(
  { config }: VersionObservation,
  phase: VersionPhase | undefined,
  isCancelled: boolean,
): VersionRunPhase {
  if (config.paused && (phase === undefined || !isOver(phase))) return 'Paused';
  return phase === 'Failed' && isCancelled ? 'Cancelled' : (phase ?? 'New');
}

/** A version that was overtaken has no say in the status any more. */
function planStatus(
  seen: VersionObservation,
  progress: Omit<VersionProgress, 'isMoving'>,
): ConfigStatus | undefined {
  if (!isLatest(seen)) return undefined;
  const status = computeStatus(seen, { ...progress, isMoving: isMoving(seen, countPods(seen)) });
  return canonicalJson(status) === canonicalJson(seen.config.status) ? undefined : status;
}

function planWait(
  seen: VersionObservation,
  own: ControllerSummary | undefined,
  turn: CanaryTurn | undefined,
): Next {
  if (turn?.kind === 'hold') return { kind: 'wait', ...defined({ untilMs: turn.untilMs }) };
  const untilMs = own?.phase === 'Running' ? deadlineMs(seen, own) : undefined;
  return { kind: 'wait', ...defined({ untilMs }) };
}
