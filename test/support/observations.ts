import type {
  DeploymentObservation,
  DeploymentStatus,
  DeploymentSummary,
  ReplicaSetSummary,
} from '../../src/domain/deployment/observation.js';

export const nowMs = Date.parse('2026-01-01T12:00:00Z');

export const emptyStatus: DeploymentStatus = {
  observedGeneration: 0,
  replicas: 0,
  updatedReplicas: 0,
  readyReplicas: 0,
  availableReplicas: 0,
  unavailableReplicas: 0,
  conditions: [],
};

export function deploymentSummary(over: Partial<DeploymentSummary> = {}): DeploymentSummary {
  return {
    name: 'web',
    uid: 'web-uid',
    generation: 1,
    replicas: 10,
    paused: false,
    beingDeleted: false,
    strategy: { type: 'RollingUpdate', maxSurge: 3, maxUnavailable: 2 },
    minReadySeconds: 0,
    progressDeadlineSeconds: 600,
    revisionHistoryLimit: 10,
    newReplicaSetName: 'web-new',
    revision: 1,
    status: emptyStatus,
    ...over,
  };
}

/** A set at rest: as many pods as it is asked for, all of them available. */
export function replicaSet(over: Partial<ReplicaSetSummary> = {}): ReplicaSetSummary {
  const desired = over.desired ?? 0;
  const name = over.name ?? 'web-old';
  return {
    name,
    uid: `${name}-uid`,
    isNew: false,
    isOrphan: false,
    revision: 1,
    createdAtMs: nowMs - 60_000,
    desired,
    replicas: desired,
    ready: desired,
    available: desired,
    statusIsCurrent: true,
    inSync: true,
    annotatedDesired: 10,
    annotatedMax: 13,
    beingDeleted: false,
    ...over,
  };
}

export const newSet = (over: Partial<ReplicaSetSummary> = {}): ReplicaSetSummary =>
  replicaSet({ name: 'web-new', isNew: true, revision: 2, createdAtMs: nowMs, ...over });

export function observation(over: {
  readonly deployment?: Partial<DeploymentSummary>;
  readonly replicaSets?: readonly ReplicaSetSummary[];
  readonly oldPods?: number;
  readonly atMs?: number;
}): DeploymentObservation {
  return {
    observedAtMs: over.atMs ?? nowMs,
    deployment: deploymentSummary(over.deployment),
    replicaSets: over.replicaSets ?? [],
    ...(over.oldPods === undefined ? {} : { oldPods: over.oldPods }),
  };
}
