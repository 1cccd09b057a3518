import { computeStatus } from './compute-status.js';
import { findRevert, findStopped } from './judge-gate.js';
import { findAvailableSet } from './judge-progress.js';
import type { DeploymentObservation } from './observation.js';
import { planEnds, type SetEnd } from './plan-ends.js';
import type { Action } from './plan.js';
import type { Sets } from './sets.js';

/** What sets and the Deployment have to remember, or to forget: for automatic rollbacks, and for the history. */
export function planMarks(seen: DeploymentObservation, sets: Sets): readonly Action[] {
  const judged = computeStatus(seen, { kind: 'none' });
  const isNowComplete = judged.progress === 'complete';
  const marks = [
    ...planRollbackNotes(seen, sets),
    ...planCompletionMark(seen, sets, isNowComplete),
    ...planHookMarks(seen, sets),
  ];
  return tellWith(marks, planEnds(seen, sets, judged));
}

/** Where a set is marked anyway, its end is told in the same write. */
function tellWith(marks: readonly Action[], ends: readonly SetEnd[]): readonly Action[] {
  const isMarked = (action: Action, { set }: SetEnd): boolean =>
    (action.kind === 'markFailed' || action.kind === 'markComplete') && action.name === set.name;
  const others = ends.filter((end) => !marks.some((action) => isMarked(action, end)));
  return [
    ...marks.map((action) => {
      const told = ends.find((end) => isMarked(action, end))?.told;
      return told === undefined ? action : { ...action, told };
    }),
    ...others.map(
      ({ set: { name, uid }, told }) => ({ kind: 'tellStay', name, uid, told }) as const,
    ),
  ];
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
function planCompletionMark(
  { deployment, replicaSets }: DeploymentObservation,
  { newSet }: Sets,
  isNowComplete: boolean,
): readonly Action[] {
  const name = findAvailableSet(deployment) ?? (isNowComplete ? newSet?.name : undefined);
  const set = replicaSets.find((one) => one.name === name);
  if (set === undefined) return [];
  const isMissing = deployment.rollsBackOnFailure === true && set.lastComplete !== set.name;
  const isMended = set.failed !== undefined && set === newSet && isNowComplete;
  return isMissing || isMended ? [{ kind: 'markComplete', name: set.name, uid: set.uid }] : [];
}

/**
 * A rollout that its hook has ended is marked, by which what reverts it begins. Hooks that were stopped
 * with their rollout run again once that goes on, and failed ones when somebody wants that.
 */
function planHookMarks(seen: DeploymentObservation, { newSet }: Sets): readonly Action[] {
  const { cancelReason } = seen.deployment;
  if (newSet === undefined || cancelReason !== undefined) return [];
  const { name, uid } = newSet;
  const { gate } = computeStatus(seen, { kind: 'none' });
  // What reverts the rollout comes to its end first: it would be reverting what is tried again.
  if (findRevert([newSet]) !== undefined) return [];
  if (newSet.isRetried === true) return [{ kind: 'resetHooks', name, uid }];
  if (findStopped(newSet).length > 0) return [{ kind: 'resetHooks', name, uid, only: 'stopped' }];
  const isNews = gate.kind === 'failed' && newSet.failed === undefined;
  return isNews ? [{ kind: 'markFailed', name, uid, message: gate.reason }] : [];
}
