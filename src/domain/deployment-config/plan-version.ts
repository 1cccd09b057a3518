import { canonicalJson } from '../shared/canonical-json.js';
import type { Next } from '../shared/next.js';
import { defined } from '../shared/optional.js';
import { cancelReasons } from './cancel-reasons.js';
import {
  computeStatus,
  countPods,
  deadlineMs,
  isMoving,
  restDeadlineMs,
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
import {
  deployerDeadlineMs,
  deployerName,
  findDeployerObstacle,
  hasSucceeded,
  planDeployerEnd,
  planDeployerReplacement,
  planReleases,
} from './plan-deployer.js';
import { countMoved, planRegions, type RegionsPlan } from './plan-regions.js';
import {
  planEmpty,
  planShift,
  planStrategyStep,
  stepDueMs,
  targetOf,
  toMargins,
} from './plan-sizes.js';
import type { VersionAction, VersionPlan, VersionRunPhase } from './plan.js';

/**
 * The next step of one version of a DeploymentConfig, from what was observed. The same observation always
 * gives the same plan, and a plan carried out twice changes nothing the second time. Only the latest
 * version moves pods; one that was overtaken says so and ends.
 */
export function planVersion(seen: VersionObservation, refusal?: string): VersionPlan {
  const { config, controllers, version } = seen;
  if (config.beingDeleted) return planFarewell();
  const own = controllers.find((controller) => controller.version === version);
  const others = controllers.filter((controller) => controller.version !== version);
  if (own === undefined) {
    return refusal === undefined ? planBeginning(seen, others) : planRefusal(seen, refusal);
  }
  if (own.phase === 'Failed' && own.isRetried && isLatest(seen)) return planRetry(seen, own);
  if (isOver(own.phase)) return planUpkeep(seen, own, others);
  const obstacle = refusal ?? findObstacle(seen, own, others);
  if (obstacle !== undefined) return giveUp(seen, own, obstacle);
  switch (own.phase) {
    case 'New':
      return planStart(seen, own, others);
    case 'Pending':
      return own.deployer?.state === 'Pending'
        ? summarise(seen, own, [])
        : moveOn(seen, own, 'Running');
    default:
      return planRollout(seen, own, others);
  }
}

function planRetry(seen: VersionObservation, own: ControllerSummary): VersionPlan {
  const first = planDeployerReplacement(own);
  return first === undefined ? moveOn(seen, own, 'New') : summarise(seen, own, first);
}

/** A version fails when nothing acts in its name any more. */
function giveUp(seen: VersionObservation, own: ControllerSummary, reason: string): VersionPlan {
  const first = planDeployerEnd(own);
  return first === undefined ? moveOn(seen, own, 'Failed', reason) : summarise(seen, own, first);
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

/** A version that somebody asks for is waited for until it is made. */
function planAnticipation({ version, config }: VersionObservation): VersionPlan {
  if (config.requestedVersion !== version) {
    return { ...planFarewell(), summary: `Version ${version} has not been made.` };
  }
  return {
    phase: 'New',
    summary: `Version ${version} is asked for, and will be made as soon as its images are known.`,
    actions: [],
    next: { kind: 'wait' },
  };
}

/** A version begins when no other is under way. */
function planBeginning(
  seen: VersionObservation,
  others: readonly ControllerSummary[],
): VersionPlan {
  const { version, controllerName, config } = seen;
  if (version > config.latestVersion) return planAnticipation(seen);
  if (!isLatest(seen)) return { ...planFarewell(), summary: `Version ${version} is gone.` };
  const running = others.filter(({ phase }) => !isOver(phase));
  if (running.length > 0) return summarise(seen, undefined, planCancellations(running));
  return summarise(seen, undefined, [
    { kind: 'createController', name: controllerName, version },
    announce('DeploymentCreated', `Created new replication controller "${controllerName}"`),
  ]);
}

/** The apiserver won't have the version at all; it is tried again when the config changes, or later. */
function planRefusal(seen: VersionObservation, refusal: string): VersionPlan {
  const { version } = seen;
  return {
    phase: 'Failed',
    summary: `Version ${version} can't be made: ${refusal}`,
    actions: [],
    ...defined({ status: planStatus(seen, { isCancelled: false, refusal }) }),
    next: { kind: 'end' },
  };
}

function planStart(
  seen: VersionObservation,
  own: ControllerSummary,
  others: readonly ControllerSummary[],
): VersionPlan {
  const running = others.filter(({ phase }) => !isOver(phase));
  if (running.length > 0) return summarise(seen, own, planCancellations(running));
  if (seen.config.paused) return summarise(seen, own, []);
  if (own.strategy.type !== 'Custom' || own.deployer !== undefined) {
    return moveOn(seen, own, 'Pending');
  }
  const { name, uid } = own;
  return summarise(seen, own, [
    { kind: 'createDeployer', name, uid },
    announce('DeployerPodCreated', `Created deployer pod "${deployerName(name)}" for "${name}"`),
  ]);
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
  if (own.strategy.type === 'Custom' && !hasSucceeded(own.deployer)) {
    return findDeployerObstacle(seen, own);
  }
  const turn = planCanary(seen, own, others);
  // One that has come to its end has done so in time, however late that is seen.
  if (turn?.kind === 'hold' || (turn === undefined && isFinished(seen, own, others)))
    return undefined;
  const untilMs = own.phase === 'Running' ? deadlineMs(seen, own) : undefined;
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
  if (isFinished(seen, own, others)) return moveOn(seen, own, 'Complete');
  if (seen.config.paused) return summarise(seen, own, []);
  const steps = isRolledOut(seen, own, others)
    ? planRegions(seen.regions ?? [], regionsTarget(own)).actions
    : planStrategyStep(seen, own, others);
  return summarise(seen, own, steps);
}

/** Whether nothing is left to move, be it its own pods or those of regions. */
function isFinished(
  seen: VersionObservation,
  own: ControllerSummary,
  others: readonly ControllerSummary[],
): boolean {
  const regions = planRegions(seen.regions ?? [], regionsTarget(own));
  return isRolledOut(seen, own, others) && regions.moving === undefined;
}

const regionsTarget = ({ version, strategy }: ControllerSummary) => ({
  version,
  strategy: strategy.type === 'Recreate' ? ({ type: 'Recreate' } as const) : toMargins(strategy),
});

/** Regions follow when the version itself has all its pods. */
function isRolledOut(
  seen: VersionObservation,
  own: ControllerSummary,
  others: readonly ControllerSummary[],
): boolean {
  if (own.strategy.type === 'Custom') return hasSucceeded(own.deployer);
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
  if (!isLatest(seen)) {
    const releases = planReleases([own]);
    return summarise(seen, own, releases ?? [], releases === undefined ? 'end' : 'wait');
  }
  const all = [own, ...others];
  const serving = all
    .filter(({ phase }) => phase === 'Complete')
    .sort((a, b) => b.version - a.version)[0];
  const rest = all.filter((controller) => controller !== serving);
  const sizes =
    serving === undefined || seen.config.isTest ? planEmpty(all) : planShift(seen, serving, rest);
  const regions = planReturn(seen, serving);
  const releases = planReleases(all) ?? [];
  const cleanup = sizes.length === 0 ? planCleanup(seen.config, rest) : [];
  const isLeft =
    (isAtRest(seen, serving, rest) && regions.moving === undefined) || isStuck(seen, own);
  return summarise(
    seen,
    own,
    [...releases, ...sizes, ...regions.actions, ...cleanup],
    isLeft && releases.length === 0 ? 'end' : 'wait',
  );
}

/** Regions that a failed version has reached go back; those that it hasn't stay as they are. */
function planReturn(
  { regions = [], config }: VersionObservation,
  serving: ControllerSummary | undefined,
): RegionsPlan {
  if (serving === undefined || config.paused) return { actions: [] };
  const isNewer = (version: number | undefined): boolean =>
    version !== undefined && version > serving.version;
  const strayed = regions.filter(
    ({ version, heldSize, pods }) =>
      isNewer(version) ||
      pods.some((pod) => isNewer(pod.version)) ||
      (version === serving.version && heldSize !== undefined),
  );
  return planRegions(strayed, regionsTarget(serving));
}

/** What has not come back in the time that the strategy gives it is looked at again when it moves. */
function isStuck(seen: VersionObservation, own: ControllerSummary): boolean {
  return seen.observedAtMs >= restDeadlineMs(seen, own) && !isMoving(seen, countPods(seen));
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
  const { name, uid, phase: from, deployer } = own;
  const move = { kind: 'setPhase', name, uid, from, to, ...defined({ deployer }) } as const;
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
  const stage = own && describeStage(seen, own);
  const status = planStatus(seen, {
    isCancelled,
    ...at,
    ...defined({ failure, waiting, stage }),
  });
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

/** The condition says which region is being moved and how far, so that this counts as progress. */
function describeStage(seen: VersionObservation, own: ControllerSummary): string | undefined {
  const { moving } = planRegions(seen.regions ?? [], regionsTarget(own));
  if (own.phase !== 'Running' || moving?.version !== own.version) return undefined;
  const count = `${countMoved(moving, own.version)} of ${moving.heldSize ?? moving.desired}`;
  return `replication controller "${moving.name}" has ${count} pods of "${own.name}"`;
}

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
  if (own === undefined) return { kind: 'wait' };
  const limits = isOver(own.phase)
    ? [restDeadlineMs(seen, own)]
    : [
        own.phase === 'Running' ? deadlineMs(seen, own) : undefined,
        deployerDeadlineMs(own),
        stepDueMs(seen, own),
      ];
  // A limit that has passed is none any more: it would be looked at again and again.
  const ahead = limits.filter((ms) => ms !== undefined).filter((ms) => ms > seen.observedAtMs);
  return { kind: 'wait', ...(ahead.length === 0 ? {} : { untilMs: Math.min(...ahead) }) };
}
