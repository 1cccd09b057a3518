import type { Deployment } from '../../kubernetes/objects.js';
import { annotations } from '../../kubernetes/deployments/annotations.js';

export type DeploymentPhase =
  | 'Complete'
  | 'Progressing'
  | 'Paused'
  | 'Failed'
  /** Complete, but with the template that an automatic rollback went back to. */
  | 'RolledBack'
  | 'Cancelled'
  /** Nobody has looked at the latest change yet. */
  | 'Waiting';

export interface ReplicaCounts {
  readonly desired: number;
  readonly current: number;
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
}

export interface DeploymentState {
  readonly phase: DeploymentPhase;
  /** `spec.paused`; a Deployment whose rollout is complete can be paused too. */
  readonly paused: boolean;
  readonly replicas: ReplicaCounts;
  /** When an automatic rollback brought its template there; null when none did. */
  readonly rolledBackAt: string | null;
  /** The hook that it waits for, in a sentence; null when it waits for none. */
  readonly heldBy: string | null;
  /** Why it stands as it does, in a sentence; empty when there is nothing to add. */
  readonly message: string;
}

/** Where a Deployment of either API stands, from its spec, its status and its annotations alone. */
export function describeDeployment(deployment: Deployment): DeploymentState {
  const replicas = countReplicas(deployment);
  const phase = decidePhase(deployment, replicas);
  return {
    phase,
    paused: deployment.spec?.paused === true,
    replicas,
    rolledBackAt: rolledBackAt(deployment),
    heldBy: phase === 'Progressing' ? heldBy(deployment) : null,
    message: explain(deployment, phase),
  };
}

function countReplicas({ spec, status }: Deployment): ReplicaCounts {
  return {
    desired: spec?.replicas ?? 1,
    current: status?.replicas ?? 0,
    updated: status?.updatedReplicas ?? 0,
    ready: status?.readyReplicas ?? 0,
    available: status?.availableReplicas ?? 0,
  };
}

/** Why `Progressing` is as it is, where a hook decides: all pods may be in place, and it is not over. */
const hooks: ReadonlySet<string> = new Set(['HookRunning', 'HookFailed']);

const reasonOf = (deployment: Deployment): string =>
  condition(deployment, 'Progressing')?.reason ?? '';

function heldBy(deployment: Deployment): string | null {
  const progressing = condition(deployment, 'Progressing');
  return progressing?.reason === 'HookRunning' ? (progressing.message ?? '') : null;
}

/** The order matters: the counts speak for the latest spec only once a controller has observed it. */
function decidePhase(deployment: Deployment, replicas: ReplicaCounts): DeploymentPhase {
  const observed = isObserved(deployment);
  if (observed && isRolledOut(replicas) && !hooks.has(reasonOf(deployment))) {
    return condition(deployment, 'RolledBack')?.status === 'True' ? 'RolledBack' : 'Complete';
  }
  if (deployment.spec?.paused === true) {
    return deployment.metadata.annotations?.[annotations.cancelled] === undefined
      ? 'Paused'
      : 'Cancelled';
  }
  if (!observed) return 'Waiting';
  return condition(deployment, 'Progressing')?.status === 'False' ? 'Failed' : 'Progressing';
}

export function rolledBackAt(deployment: Deployment): string | null {
  const rollback = condition(deployment, 'RolledBack');
  return rollback?.status === 'True' ? (rollback.lastUpdateTime ?? '') : null;
}

function isObserved({ metadata, status }: Deployment): boolean {
  return (status?.observedGeneration ?? 0) >= (metadata.generation ?? 1);
}

function isRolledOut({ desired, current, updated, available }: ReplicaCounts): boolean {
  return updated >= desired && current <= updated && available >= updated;
}

function explain(deployment: Deployment, phase: DeploymentPhase): string {
  const sentences = [explainPhase(deployment, phase)];
  const failure = condition(deployment, 'ReplicaFailure');
  if (failure?.status === 'True') sentences.push(failure.message ?? failure.reason ?? '');
  if (deployment.metadata.deletionTimestamp !== undefined) sentences.push('It is being deleted.');
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function explainPhase(deployment: Deployment, phase: DeploymentPhase): string {
  const written = deployment.metadata.annotations ?? {};
  if (phase === 'Cancelled') return `Cancelled: ${written[annotations.cancelled] ?? ''}`;
  if (deployment.spec?.paused === true) {
    const reason = written[annotations.pauseReason] ?? '';
    return reason === '' ? 'Paused.' : `Paused: ${reason}`;
  }
  if (phase === 'Waiting') return 'No controller has seen this change yet.';
  const rollback = condition(deployment, 'RolledBack');
  if (rollback?.status === 'True') return `${rollback.message ?? 'Rolled back'}.`;
  return condition(deployment, 'Progressing')?.message ?? '';
}

function condition(deployment: Deployment, type: string) {
  return deployment.status?.conditions?.find((one) => one.type === type);
}

/**
 * Example: 6 of 10 updated, 8 available, 2 old left. Before a controller has seen the latest change, the
 * counts speak of the template before it, so they don't say what is updated.
 */
export function describeCounts({
  phase,
  replicas,
}: Pick<DeploymentState, 'phase' | 'replicas'>): string {
  const { desired, current, updated, available } = replicas;
  if (phase === 'Waiting') return `${available} of ${desired} available`;
  const old = Math.max(0, current - updated);
  return [
    `${updated} of ${desired} updated`,
    `${available} available`,
    ...(old === 0 ? [] : [`${old} old left`]),
  ].join(', ');
}
