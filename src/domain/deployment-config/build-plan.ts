import { canonicalJson } from '../shared/canonical-json.js';
import type { Next } from '../shared/next.js';
import { defined } from '../shared/optional.js';
import { announce } from './announce.js';
import { cancelReasons } from './cancel-reasons.js';
import {
  computeStatus,
  countPods,
  deadlineMs,
  isMoving,
  restDeadlineMs,
  wholeLimitMs,
  type VersionProgress,
} from './compute-status.js';
import { describeVersion } from './describe-version.js';
import { hookCheckMs } from '../shared/hook.js';
import { findRunningHook, findRunningRevert } from '../shared/judge-hook.js';
import {
  isLatest,
  isOver,
  type ConfigStatus,
  type ControllerSummary,
  type VersionObservation,
  type VersionPhase,
} from './observation.js';
import type { CanaryTurn } from './plan-canary.js';
import { deployerDeadlineMs } from './plan-deployer.js';
import { countMoved, planRegions } from './plan-regions.js';
import { regionsTarget, stepDueMs } from './plan-sizes.js';
import type { VersionAction, VersionPlan, VersionRunPhase } from './plan.js';

/** A move to another phase is all of its plan, so that what comes of it is seen first. */
export function moveOn(
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

/** A plan of these actions, with what is to be told of it and when to look again. */
export function summarise(
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
  const running = findRunningHook(own);
  if (running !== undefined) return `the ${running.moment} hook of "${own.name}" is running`;
  const reverting = seen.controllers.find((other) => findRunningRevert(other) !== undefined);
  if (reverting !== undefined && own.phase === 'New') {
    return `the abort hook of "${reverting.name}" is running`;
  }
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
export function planStatus(
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
  if (findRunningHook(own) !== undefined) {
    return { kind: 'wait', untilMs: seen.observedAtMs + hookCheckMs };
  }
  const limits = isOver(own.phase)
    ? [restDeadlineMs(seen, own)]
    : [
        own.phase === 'Running' ? deadlineMs(seen, own) : undefined,
        wholeLimitMs(seen, own),
        deployerDeadlineMs(own),
        stepDueMs(seen, own),
      ];
  // A limit that has passed is none any more: it would be looked at again and again.
  const ahead = limits.filter((ms) => ms !== undefined).filter((ms) => ms > seen.observedAtMs);
  return { kind: 'wait', ...(ahead.length === 0 ? {} : { untilMs: Math.min(...ahead) }) };
}
