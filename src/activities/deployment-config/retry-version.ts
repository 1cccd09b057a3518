import type { VersionActivities } from '../../contracts/deployment-config.js';
import { isNotFound } from '../../kubernetes/api-error.js';
import { configAnnotations } from '../../kubernetes/deployment-configs/annotations.js';
import { controllerName } from '../../kubernetes/deployment-configs/build-controller.js';
import type { ReplicationController } from '../../kubernetes/deployment-configs/objects.js';
import { readController } from '../../kubernetes/deployment-configs/read-controller.js';
import { resources } from '../../kubernetes/resources.js';
import type { ClusterAccess } from '../cluster-access.js';
import { toActivityFailure } from '../failures.js';

/** Asks for a failed version to be tried again; one that has not failed goes on as it does. */
export function createRetryVersion(access: ClusterAccess): VersionActivities['retryVersion'] {
  return async ({ ref, reason }) => {
    const client = access.cluster(ref.cluster)?.client;
    if (client === undefined) return { kind: 'elsewhere' };
    const type = resources.replicationControllers;
    const name = controllerName(ref.name, ref.version);
    try {
      const found = await client.get<ReplicationController>(type, ref.namespace, name);
      if (readController(found)?.phase !== 'Failed') {
        return { kind: 'needless', why: `version ${ref.version} has not failed` };
      }
      const { uid, resourceVersion } = found.metadata;
      const annotations = { [configAnnotations.retry]: reason ?? 'asked for by signal' };
      const body = { metadata: { uid, resourceVersion, annotations } };
      const { metadata } = await client.patch(type, ref.namespace, name, 'merge', body, {
        brief: true,
      });
      return { kind: 'done', version: metadata.resourceVersion ?? '0' };
    } catch (error) {
      if (isNotFound(error)) return { kind: 'gone' };
      throw toActivityFailure(error, `retry version ${name} in ${ref.namespace}`);
    }
  };
}
