import { findRunningHook } from '../shared/judge-hook.js';
import { compareRevisions } from '../shared/revision.js';
import { findRevert } from './judge-gate.js';
import type { DeploymentSummary, ReplicaSetSummary } from './observation.js';

/**
 * The old sets that `revisionHistoryLimit` leaves no place for: empty ones only, oldest revision first, and none
 * whose hook still runs or has yet to revert it.
 */
export function planCleanup(
  deployment: DeploymentSummary,
  oldSets: readonly ReplicaSetSummary[],
): readonly ReplicaSetSummary[] {
  if (deployment.revisionHistoryLimit === undefined) return [];
  const kept = oldSets.filter((set) => !set.beingDeleted);
  const excess = kept.length - deployment.revisionHistoryLimit;
  if (excess <= 0) return [];
  return kept
    .sort((a, b) => compareRevisions(a.revision, b.revision) || a.createdAtMs - b.createdAtMs)
    .slice(0, excess)
    .filter((set) => set.desired === 0 && set.replicas === 0 && set.statusIsCurrent)
    .filter((set) => findRunningHook(set) === undefined && findRevert([set]) === undefined);
}
