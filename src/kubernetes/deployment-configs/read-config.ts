import type { ConfigStatus, ConfigSummary } from '../../domain/deployment-config/observation.js';
import type { Condition } from '../../domain/shared/conditions.js';
import { defined } from '../../domain/shared/optional.js';
import { configAnnotations } from './annotations.js';
import { annotations } from '../deployments/annotations.js';
import type { DeploymentConfig } from './objects.js';
import { findPendingRollback, readRequest } from './read-request.js';

/** What decisions need of a DeploymentConfig. */
export function readConfig(config: DeploymentConfig): ConfigSummary {
  const { metadata, spec, status } = config;
  return {
    name: metadata.name,
    uid: metadata.uid ?? '',
    generation: metadata.generation ?? 0,
    latestVersion: status?.latestVersion ?? 0,
    replicas: spec.replicas ?? 1,
    isTest: spec.test === true,
    paused: spec.paused === true,
    beingDeleted: metadata.deletionTimestamp !== undefined,
    status: readStatus(config),
    ...defined({
      pauseReason: metadata.annotations?.[annotations.pauseReason],
      revisionHistoryLimit: spec.revisionHistoryLimit,
      requestedVersion: readRequest(config)?.version,
      isGoingBack: findPendingRollback(config) === undefined ? undefined : true,
      rollsBackOnFailure: spec.rollbackOnFailure === true ? true : undefined,
      rollsBackOverHooks: spec.rollbackOverHooks === true ? true : undefined,
      rolledBackFrom: readNumber(metadata.annotations?.[configAnnotations.rolledBackFrom]),
    }),
  };
}

const readNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

function readStatus({ status = {} }: DeploymentConfig): ConfigStatus {
  return {
    observedGeneration: status.observedGeneration ?? 0,
    replicas: status.replicas ?? 0,
    updatedReplicas: status.updatedReplicas ?? 0,
    readyReplicas: status.readyReplicas ?? 0,
    availableReplicas: status.availableReplicas ?? 0,
    unavailableReplicas: status.unavailableReplicas ?? 0,
    conditions: (status.conditions ?? []) as readonly Condition[],
  };
}
