import type { VersionActivities } from '../../contracts/deployment-config.js';
import { isNotFound } from '../../kubernetes/api-error.js';
import { configAnnotations } from '../../kubernetes/deployment-configs/annotations.js';
import { controllerName } from '../../kubernetes/deployment-configs/build-controller.js';
import { resources } from '../../kubernetes/resources.js';
import type { ClusterAccess } from '../cluster-access.js';
import { toActivityFailure } from '../failures.js';

/** Asks a version to stop, as `oc rollout cancel` does: its run sees it and goes back. */
export function createCancelVersion(access: ClusterAccess): VersionActivities['cancelVersion'] {
  return async ({ ref, reason }) => {
    const client = access.cluster(ref.cluster)?.client;
    if (client === undefined) return { kind: 'elsewhere' };
    const name = controllerName(ref.name, ref.version);
    const annotations = {
      [configAnnotations.cancelled]: 'true',
      [configAnnotations.statusReason]: reason,
    };
    try {
      const { metadata } = await client.patch(
        resources.replicationControllers,
        ref.namespace,
        name,
        'merge',
        { metadata: { annotations } },
        { brief: true },
      );
      return { kind: 'done', version: metadata.resourceVersion ?? '0' };
    } catch (error) {
      if (isNotFound(error)) return { kind: 'gone' };
      throw toActivityFailure(error, `cancel version ${name} in ${ref.namespace}`);
    }
  };
}
