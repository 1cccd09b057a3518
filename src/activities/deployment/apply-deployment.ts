import type { DeploymentActivities } from '../../contracts/deployment.js';
import { deploymentTypes } from '../../kubernetes/deployments/deployment-key.js';
import type { KubernetesObject } from '../../kubernetes/objects.js';
import type { ClusterAccess } from '../cluster-access.js';
import { toActivityFailure } from '../failures.js';

/** Applies a manifest that a run was started with. Unknown fields are errors, not warnings. */
export function createApplyDeployment(
  access: ClusterAccess,
): DeploymentActivities['applyDeployment'] {
  return async ({ ref, manifest }) => {
    access.checkApi(ref);
    const cluster = access.cluster(ref.cluster);
    if (cluster === undefined) return { kind: 'elsewhere' };
    const { namespace, name } = ref;
    const object: KubernetesObject = {
      ...manifest,
      metadata: { ...manifest.metadata, namespace, name },
    };
    try {
      const type = deploymentTypes[ref.api];
      const { metadata } = await cluster.client.apply(type, object, { strict: true });
      return { kind: 'done', version: metadata.resourceVersion ?? '0' };
    } catch (error) {
      throw toActivityFailure(error, `apply Deployment ${namespace}/${name}`);
    }
  };
}
