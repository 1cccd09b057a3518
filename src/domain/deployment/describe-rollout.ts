import type { Revision } from '../shared/revision.js';
import { describeGate, type Gate } from './gate.js';
import type { DeploymentObservation } from './observation.js';
import { explainStay } from './plan-rollback.js';
import type { Action, Phase } from './plan.js';
import type { Sets } from './sets.js';
import { sum } from '../shared/sizes.js';

/** What is being done and why, for whoever opens the run without knowing the code. */
export function describeRollout(
  seen: DeploymentObservation,
  {
    phase,
    revision,
    actions,
    sets,
    gate,
  }: {
    readonly phase: Phase;
    readonly revision: Revision;
    readonly actions: readonly Action[];
    readonly sets: Sets;
    readonly gate: Gate;
  },
): string {
  const { deployment } = seen;
  const state = describeState(seen);
  switch (phase) {
    case 'Complete':
      return `Revision ${revision} is complete: ${state}.`;
    case 'RolledBack':
      return `${deployment.rolledBack?.message ?? 'Rolled back'}, which is complete as revision ${revision}: ${state}.`;
    case 'Paused':
      return `Paused${because(deployment.pauseReason)} at ${state}. Resume it to go on.`;
    case 'Cancelled':
      return `Cancelled${because(deployment.cancelReason)} at ${state}. Resume it to go on.`;
    case 'Failed':
      if (gate.kind === 'failed') {
        return `Revision ${revision} failed: ${gate.reason}; ${state}.${explainStay(seen, sets)}`;
      }
      return `Revision ${revision} made no progress for ${deployment.progressDeadlineSeconds ?? 0} s: ${state}${describeFailures(seen)}.${explainStay(seen, sets)}`;
    case 'Progressing':
      return `Rolling out revision ${revision}: ${state}. ${describeStep(seen, actions, gate)}`;
    case 'Deleted':
      return 'The Deployment is being deleted: nothing is left to do.';
  }
}

const because = (reason: string | undefined): string =>
  reason === undefined || reason === '' ? '' : ` (${reason})`;

function describeState({ deployment, replicaSets }: DeploymentObservation): string {
  const newSets = replicaSets.filter((set) => set.isNew);
  const oldPods = sum(
    replicaSets.filter((set) => !set.isNew),
    (set) => set.replicas,
  );
  const available = sum(newSets, (set) => set.available);
  const old = oldPods === 0 ? '' : `, ${oldPods} old ${oldPods === 1 ? 'pod' : 'pods'} left`;
  return `${available} of ${deployment.replicas} new pods available${old}`;
}

function describeStep(seen: DeploymentObservation, actions: readonly Action[], gate: Gate): string {
  const steps = actions.map(describeAction).filter((step) => step !== undefined);
  if (steps.length > 0) return `Now: ${steps.join('; ')}.`;
  if (gate.kind === 'held') return `Waiting for ${describeGate(gate)} to end.`;
  if ((seen.oldPods ?? 0) > 0 && seen.deployment.strategy.type === 'Recreate') {
    return `Waiting until ${seen.oldPods ?? 0} old pods are gone.`;
  }
  return `Waiting for pods to become available${describeFailures(seen)}.`;
}

function describeAction(action: Action): string | undefined {
  switch (action.kind) {
    case 'createReplicaSet':
      return `create ${action.name} with ${action.replicas} pods`;
    case 'scaleReplicaSet':
      return action.from === action.to
        ? undefined
        : `scale ${action.name} from ${action.from} to ${action.to}`;
    case 'adoptReplicaSet':
      return `adopt ${action.name}`;
    case 'releaseReplicaSet':
      return `release ${action.name}`;
    case 'rollBack':
      return `go back to revision ${action.revision}`;
    case 'deleteReplicaSet':
      return `delete ${action.name}, which the history has no place for`;
    case 'syncReplicaSet':
    case 'recordRevision':
    case 'clearPauseNotes':
    case 'clearRollback':
    case 'clearRollbackNote':
    case 'markFailed':
    case 'markComplete':
    case 'resetHooks':
    case 'tellStay':
    case 'announce':
      return undefined;
  }
}

function describeFailures({ replicaSets }: DeploymentObservation): string {
  const failing = replicaSets.find((set) => (set.failure ?? set.crash) !== undefined);
  if (failing === undefined) return '';
  return `; ${failing.name}: ${failing.failure?.message ?? failing.crash ?? ''}`;
}
