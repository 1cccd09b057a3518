import { computeStatus } from './compute-status.js';
import { findAvailableSet, isComplete } from './judge-progress.js';
import type { DeploymentObservation } from './observation.js';
import type { Action } from './plan.js';
import type { Sets } from './sets.js';

/** What sets and the Deployment have to remember, or to forget, for automatic rollbacks. */
export function planMarks(seen: DeploymentObservation, sets: Sets): readonly Action[] {
  return [...planRollbackNotes(seen, sets), ...planCompletionMark(seen, sets)];
}

/** Marks the set that an automatic rollback turned away from, and forgets a rollback that is overtaken. */
function planRollbackNotes(
  { deployment: { rolledBack }, replicaSets }: DeploymentObservation,
  { newSet }: Sets,
): readonly Action[] {
  if (rolledBack === undefined) return [];
  const { from, to, message } = rolledBack;
  const failed = replicaSets.find(({ name, failed: mark }) => name === from && mark === undefined);
  const marks: readonly Action[] =
    failed === undefined
      ? []
      : [{ kind: 'markFailed', name: failed.name, uid: failed.uid, message }];
  return newSet?.name === to ? marks : [...marks, { kind: 'clearRollbackNote' }];
}

/**
 * Where an automatic rollback may need to know it later, the set that is complete remembers it itself:
 * a pause, say, takes away the condition that says so. One that had failed before is so no longer.
 */
function planCompletionMark(seen: DeploymentObservation, { newSet }: Sets): readonly Action[] {
  const { deployment, replicaSets } = seen;
  const isNowComplete = isComplete(deployment, computeStatus(seen, { kind: 'none' }).status);
  const name = findAvailableSet(deployment) ?? (isNowComplete ? newSet?.name : undefined);
  const set = replicaSets.find((one) => one.name === name);
  if (set === undefined) return [];
  const isMissing = deployment.rollsBackOnFailure === true && set.lastComplete !== set.name;
  const isMended = set.failed !== undefined && set === newSet && isNowComplete;
  return isMissing || isMended ? [{ kind: 'markComplete', name: set.name, uid: set.uid }] : [];
}
