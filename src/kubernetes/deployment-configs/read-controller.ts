import {
  versionPhases,
  type ControllerSummary,
  type VersionPhase,
  type VersionStrategy,
} from '../../domain/deployment-config/observation.js';
import { defined } from '../../domain/shared/optional.js';
import { configAnnotations } from './annotations.js';
import { decodeConfig } from './build-controller.js';
import type { DeploymentStrategy, ReplicationController } from './objects.js';

const usualTimeoutSeconds = 600;
const usualMargin = '25%';

/** What decisions need of a version; undefined for a ReplicationController that is none. */
export function readController(controller: ReplicationController): ControllerSummary | undefined {
  const { metadata, spec, status } = controller;
  const written = metadata.annotations ?? {};
  const version = Number(written[configAnnotations.version]);
  if (!Number.isSafeInteger(version) || version < 1) return undefined;
  return {
    name: metadata.name,
    uid: metadata.uid ?? '',
    version,
    phase: readPhase(written[configAnnotations.phase]),
    strategy: readStrategy(decodeConfig(controller)?.spec.strategy),
    createdAtMs: Date.parse(metadata.creationTimestamp ?? ''),
    desired: spec?.replicas ?? 1,
    replicas: status?.replicas ?? 0,
    ready: status?.readyReplicas ?? 0,
    available: status?.availableReplicas ?? 0,
    statusIsCurrent: (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0),
    isCancelled: written[configAnnotations.cancelled] === 'true',
    isRetried: written[configAnnotations.retry] !== undefined,
    beingDeleted: metadata.deletionTimestamp !== undefined,
    ...defined({
      statusReason: written[configAnnotations.statusReason],
      failure: readFailure(controller),
    }),
  };
}

/** One that OpenShift has made and not begun has no phase yet. */
function readPhase(written: string | undefined): VersionPhase {
  return versionPhases.find((phase) => phase === written) ?? 'New';
}

export function readStrategy(strategy: DeploymentStrategy | undefined): VersionStrategy {
  if (strategy?.type === 'Recreate') {
    const { timeoutSeconds = usualTimeoutSeconds } = strategy.recreateParams ?? {};
    return { type: 'Recreate', timeoutSeconds };
  }
  const params = strategy?.rollingParams ?? {};
  return {
    type: 'Rolling',
    timeoutSeconds: params.timeoutSeconds ?? usualTimeoutSeconds,
    maxSurge: params.maxSurge ?? usualMargin,
    maxUnavailable: params.maxUnavailable ?? usualMargin,
  };
}

function readFailure({ status }: ReplicationController): ControllerSummary['failure'] {
  const condition = status?.conditions?.find(
    ({ type, status: holds }) => type === 'ReplicaFailure' && holds === 'True',
  );
  if (condition === undefined) return undefined;
  return { reason: condition.reason ?? 'FailedCreate', message: condition.message ?? '' };
}
