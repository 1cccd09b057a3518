import type { VersionActivities } from '../../contracts/deployment-config.js';
import { isNotFound } from '../../kubernetes/api-error.js';
import { annotations } from '../../kubernetes/deployments/annotations.js';
import { resources } from '../../kubernetes/resources.js';
import type { ClusterAccess } from '../cluster-access.js';
import { toActivityFailure } from '../failures.js';

/** Writes `spec.paused`, which is the truth about it, whoever looks. */
export function createSetConfigPaused(access: ClusterAccess): VersionActivities['setConfigPaused'] {
  return async ({ ref, paused, reason }) => {
    const client = access.cluster(ref.cluster)?.client;
    if (client === undefined) return { kind: 'elsewhere' };
    const note = paused ? (reason ?? null) : null;
    const body = {
      metadata: { annotations: { [annotations.pauseReason]: note } },
      spec: { paused },
    };
    try {
      const { metadata } = await client.patch(
        resources.deploymentConfigs,
        ref.namespace,
        ref.name,
        'merge',
        body,
        { brief: true },
      );
      return { kind: 'done', version: metadata.resourceVersion ?? '0' };
    } catch (error) {
      if (isNotFound(error)) return { kind: 'gone' };
      throw toActivityFailure(error, `pause DeploymentConfig ${ref.namespace}/${ref.name}`);
    }
  };
}
