import type { VersionActivities } from '../../contracts/deployment-config.js';
import { isOver } from '../../domain/deployment-config/observation.js';
import { isNotFound } from '../../kubernetes/api-error.js';
import { configAnnotations } from '../../kubernetes/deployment-configs/annotations.js';
import { controllerName } from '../../kubernetes/deployment-configs/build-controller.js';
import type { ReplicationController } from '../../kubernetes/deployment-configs/objects.js';
import { readController } from '../../kubernetes/deployment-configs/read-controller.js';
import { resources } from '../../kubernetes/resources.js';
import type { ClusterAccess } from '../cluster-access.js';
import { toActivityFailure } from '../failures.js';

/**
 * Asks a version to stop, as `oc rollout cancel` does: its run sees it and goes back. One that is over stays
 * as it ended, and for the reason that it ended.
 */
export function createCancelVersion(access: ClusterAccess): VersionActivities['cancelVersion'] {
  return async ({ ref, reason }) => {
    const client = access.cluster(ref.cluster)?.client;
    if (client === undefined) return { kind: 'elsewhere' };
    const name = controllerName(ref.name, ref.version);
    const type = resources.replicationControllers;
    try {
      const found = await client.get<ReplicationController>(type, ref.namespace, name);
      const phase = readController(found)?.phase ?? 'New';
      if (isOver(phase)) return { kind: 'needless', why: `version ${ref.version} is ${phase}` };
      const { uid, resourceVersion } = found.metadata;
      const annotations = {
        [configAnnotations.cancelled]: 'true',
        [configAnnotations.statusReason]: reason,
      };
      const body = { metadata: { uid, resourceVersion, annotations } };
      const { metadata } = await client.patch(type, ref.namespace, name, 'merge', body, {
        brief: true,
      });
      return { kind: 'done', version: metadata.resourceVersion ?? '0' };
    } catch (error) {
      if (isNotFound(error)) return { kind: 'gone' };
      throw toActivityFailure(error, `cancel version ${name} in ${ref.namespace}`);
    }
  };
}
