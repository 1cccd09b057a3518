import type { DeploymentStatus } from '../../domain/deployment/observation.js';

/** A merge patch leaves out what is absent, so counts that may vanish are set to null. */
export function statusPatch(status: DeploymentStatus, extra: object = {}): { status: object } {
  return {
    status: {
      ...status,
      terminatingReplicas: status.terminatingReplicas ?? null,
      ...extra,
    },
  };
}
