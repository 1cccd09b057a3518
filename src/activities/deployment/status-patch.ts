import type { DeploymentStatus } from '../../domain/deployment/observation.js';

/** A merge patch leaves out what is absent, so counts that may vanish are set to null. */
export function statusPatch(status: DeploymentStatus, selector?: string): { status: object } {
  return {
    status: {
      ...status,
      terminatingReplicas: status.terminatingReplicas ?? null,
      ...(selector === undefined ? {} : { selector }),
    },
  };
}
