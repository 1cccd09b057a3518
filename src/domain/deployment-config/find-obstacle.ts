import { cancelReasons } from './cancel-reasons.js';
import { countPods, deadlineMs, isMoving, wholeLimitMs } from './compute-status.js';
import { isFinished } from './is-finished.js';
import { findRunningHook } from '../shared/judge-hook.js';
import { isLatest, type ControllerSummary, type VersionObservation } from './observation.js';
import { planCanary } from './plan-canary.js';
import { findDeployerObstacle, hasSucceeded } from './plan-deployer.js';

/** What keeps a version from going on, if anything does. */
export function findObstacle(
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
  if (findRunningHook(own) !== undefined) return undefined;
  const turn = planCanary(seen, own, others);
  // One that has come to its end has done so in time, however late that is seen.
  if (turn?.kind === 'hold' || (turn === undefined && isFinished(seen, own, others)))
    return undefined;
  const limitMs = wholeLimitMs(seen, own);
  if (limitMs !== undefined && seen.observedAtMs >= limitMs) return cancelReasons.tookTooLong;
  const untilMs = own.phase === 'Running' ? deadlineMs(seen, own) : undefined;
  const isLate =
    untilMs !== undefined && seen.observedAtMs >= untilMs && !isMoving(seen, countPods(seen));
  if (!isLate) return undefined;
  return own.failure === undefined
    ? cancelReasons.timedOut
    : `${cancelReasons.timedOut}: ${own.failure.message}`;
}
