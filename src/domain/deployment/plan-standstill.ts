import { findCondition, setCondition } from '../shared/conditions.js';
import { computeStatus, sameStatus } from './compute-status.js';
import { progressingType } from './judge-progress.js';
import type { DeploymentObservation } from './observation.js';
import type { DeploymentPlan, FailureReason } from './plan.js';
import { describeSets } from './sets.js';

/**
 * What to write when nothing can be done until somebody mends the Deployment or its surroundings: a
 * condition and, once for each problem, an event.
 */
export function planStandstill(
  seen: DeploymentObservation,
  reason: FailureReason,
  problem: string,
): DeploymentPlan {
  const { deployment, observedAtMs } = seen;
  const counted = computeStatus(seen, { kind: 'none' }).status;
  const before = findCondition(deployment.status.conditions, progressingType);
  const isNews = before?.message !== problem;
  const conditions = setCondition(
    // The deadline plays no part in this, so only what is said here may be said of the progress.
    deployment.status.conditions,
    { type: progressingType, status: 'False', reason, message: problem },
    observedAtMs,
    isNews,
  );
  const status = { ...counted, conditions };
  return {
    phase: 'Failed',
    failure: reason,
    summary: `Nothing can be done: ${problem}`,
    revision: deployment.revision,
    sets: describeSets(seen),
    actions: isNews ? [{ kind: 'announce', type: 'Warning', reason, note: problem }] : [],
    ...(sameStatus(status, deployment.status) ? {} : { status }),
    next: { kind: 'end' },
  };
}
