import { canonicalJson } from '../shared/canonical-json.js';
import {
  findCondition,
  removeCondition,
  setCondition,
  type Condition,
} from '../shared/conditions.js';
import {
  isComplete,
  judgeProgress,
  markProgress,
  type Counts,
  type NewSetNews,
  type Progress,
} from './judge-progress.js';
import type { Gate } from './gate.js';
import { judgeGate } from './judge-gate.js';
import type { DeploymentObservation, DeploymentStatus } from './observation.js';
import { splitSets } from './sets.js';
import { resolveMargins, sum } from '../shared/sizes.js';

export const rolledBackType = 'RolledBack';

export interface JudgedStatus {
  readonly status: DeploymentStatus;
  readonly progress: Progress;
  readonly gate: Gate;
}

/** The status as it should stand, from what the ReplicaSets report. */
export function computeStatus(seen: DeploymentObservation, news: NewSetNews): JudgedStatus {
  const { deployment, observedAtMs } = seen;
  const counts = countPods(seen);
  const gate = judgeGate(seen, splitSets(seen), isComplete(deployment, counts));
  const progress = judgeProgress(deployment, counts, news, observedAtMs, gate);
  const newSetName =
    seen.replicaSets.find((set) => set.isNew)?.name ?? deployment.newReplicaSetName;
  let conditions = markAvailability(seen, counts);
  conditions = markFailure(seen, conditions);
  conditions = markRollback(seen, conditions);
  const told = { progress, news, newSetName, gate };
  conditions = markProgress(deployment, conditions, told, observedAtMs);
  return { status: { ...counts, conditions }, progress, gate };
}

export function sameStatus(a: DeploymentStatus, b: DeploymentStatus): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

function countPods({ deployment, replicaSets }: DeploymentObservation): Counts {
  const owned = replicaSets.filter((set) => !set.isOrphan);
  const replicas = sum(owned, (set) => set.replicas);
  const availableReplicas = sum(owned, (set) => set.available);
  const terminating = owned.filter((set) => set.terminating !== undefined);
  const { collisionCount } = deployment.status;
  return {
    observedGeneration: deployment.generation,
    replicas,
    updatedReplicas: sum(
      owned.filter((set) => set.isNew),
      (set) => set.replicas,
    ),
    readyReplicas: sum(owned, (set) => set.ready),
    availableReplicas,
    unavailableReplicas: Math.max(0, sum(owned, (set) => set.desired) - availableReplicas),
    ...(terminating.length === 0
      ? {}
      : { terminatingReplicas: sum(terminating, (set) => set.terminating ?? 0) }),
    ...(collisionCount === undefined ? {} : { collisionCount }),
  };
}

function markAvailability(seen: DeploymentObservation, counts: Counts): readonly Condition[] {
  const { deployment, observedAtMs } = seen;
  // A Recreate may be without pods for a while, but is not available then.
  const tolerated =
    deployment.strategy.type === 'Recreate' ? 0 : resolveMargins(deployment).unavailable;
  const floor = deployment.replicas - tolerated;
  const enough = counts.availableReplicas >= floor;
  return setCondition(
    deployment.status.conditions,
    enough
      ? {
          type: 'Available',
          status: 'True',
          reason: 'MinimumReplicasAvailable',
          message: 'Deployment has minimum availability.',
        }
      : {
          type: 'Available',
          status: 'False',
          reason: 'MinimumReplicasUnavailable',
          message: 'Deployment does not have minimum availability.',
        },
    observedAtMs,
  );
}

/** Why pods can't be created is said by the set that tries; the new one's word counts most. */
function markFailure(
  { replicaSets, observedAtMs }: DeploymentObservation,
  conditions: readonly Condition[],
): readonly Condition[] {
  const failing = replicaSets
    .filter((set) => set.failure !== undefined)
    .sort((a, b) => Number(b.isNew) - Number(a.isNew))[0]?.failure;
  if (failing === undefined) return removeCondition(conditions, 'ReplicaFailure');
  return setCondition(
    conditions,
    { type: 'ReplicaFailure', status: 'True', ...failing },
    observedAtMs,
  );
}

/** Tells of an automatic rollback for as long as its template is the current one. */
function markRollback(
  { deployment: { rolledBack }, replicaSets, observedAtMs }: DeploymentObservation,
  conditions: readonly Condition[],
): readonly Condition[] {
  const isCurrent = replicaSets.some((set) => set.isNew && set.name === rolledBack?.to);
  if (rolledBack === undefined || !isCurrent) return removeCondition(conditions, rolledBackType);
  const { reason, message } = rolledBack;
  const refresh = findCondition(conditions, rolledBackType)?.message !== message;
  return setCondition(
    conditions,
    { type: rolledBackType, status: 'True', reason, message },
    observedAtMs,
    refresh,
  );
}
