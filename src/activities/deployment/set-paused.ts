import type { DeploymentActivities } from '../../contracts/deployment.js';
import { defined } from '../../domain/shared/optional.js';
import { isConflict, isNotFound } from '../../kubernetes/api-error.js';
import { annotations } from '../../kubernetes/deployments/annotations.js';
import { deploymentTypes } from '../../kubernetes/deployments/deployment-key.js';
import type { ClusterAccess } from '../cluster-access.js';
import { toActivityFailure } from '../failures.js';

/** Writes `spec.paused`, where kubectl, the UI and the command line all look for it. */
export function createSetPaused(access: ClusterAccess): DeploymentActivities['setPaused'] {
  return async ({ ref, uid, paused, reason, cancelled }) => {
    access.checkApi(ref);
    const cluster = access.cluster(ref.cluster);
    if (cluster === undefined) return { kind: 'elsewhere' };
    const body = {
      metadata: {
        ...defined({ uid }),
        annotations: {
          // A second pause without a reason keeps that of the first.
          ...(paused && reason === undefined ? {} : { [annotations.pauseReason]: reason ?? null }),
          [annotations.cancelled]: cancelled === true ? (reason ?? 'cancelled') : null,
          [annotations.cancelledBy]: null,
        },
      },
      spec: { paused },
    };
    try {
      const type = deploymentTypes[ref.api];
      const { metadata } = await cluster.client.patch(type, ref.namespace, ref.name, 'merge', body);
      return { kind: 'done', version: metadata.resourceVersion ?? '0' };
    } catch (error) {
      // Another uid is another Deployment: the one that was meant is gone.
      if (isNotFound(error) || isConflict(error)) return { kind: 'gone' };
      const verb = paused ? 'pause' : 'resume';
      throw toActivityFailure(error, `${verb} Deployment ${ref.namespace}/${ref.name}`);
    }
  };
}
