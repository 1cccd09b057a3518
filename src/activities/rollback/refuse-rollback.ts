import type { RollbackActivities, RefuseRollbackRequest } from '../../contracts/rollback.js';
import { markRefused } from '../../domain/deployment-config/mark-refused.js';
import { isConflict, isNotFound } from '../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import type { DeploymentConfig } from '../../kubernetes/deployment-configs/objects.js';
import { asksFor } from '../../kubernetes/deployment-configs/read-block.js';
import { readConfig } from '../../kubernetes/deployment-configs/read-config.js';
import { resources } from '../../kubernetes/resources.js';
import type { ClusterAccess } from '../cluster-access.js';
import type { EventRecorder } from '../events.js';
import { toActivityFailure } from '../failures.js';

/** A status update between reading and writing makes the write fail; this many are outlived. */
const tries = 20;

/**
 * Takes a config's block `rollback` away that can't be met. Why is said first, so that it is known however this
 * ends; nothing else of the config is touched.
 */
export function createRefuseRollback(
  access: ClusterAccess,
  events: Pick<EventRecorder, 'record'>,
): RollbackActivities['refuseRollback'] {
  return async (asked) => {
    const { ref } = asked;
    const client = access.cluster(ref.cluster)?.client;
    if (client === undefined) return { kind: 'elsewhere' };
    try {
      for (let count = 1; ; count += 1) {
        try {
          return await refuse(client, events, asked);
        } catch (error) {
          if (!isConflict(error) || count >= tries) throw error;
        }
      }
    } catch (error) {
      if (isNotFound(error)) return { kind: 'needless' };
      throw toActivityFailure(error, `refuse to take ${ref.namespace}/${ref.name} back`);
    }
  };
}

async function refuse(
  client: KubernetesClient,
  events: Pick<EventRecorder, 'record'>,
  { ref, wish, base, problems }: RefuseRollbackRequest,
): Promise<{ readonly kind: 'done' | 'needless' }> {
  const { cluster, namespace, name } = ref;
  const type = resources.deploymentConfigs;
  const config = await client.get<DeploymentConfig>(type, namespace, name);
  const { generation, resourceVersion } = config.metadata;
  // Another one is looked at for its own sake.
  if (!asksFor(config, wish) || (base !== undefined && base.generation !== generation)) {
    return { kind: 'needless' };
  }
  const message = problems.map((problem) => `${problem.field}: ${problem.message}`).join('; ');
  const conditions = markRefused(readConfig(config).status.conditions, message, Date.now());
  const told = await client.patch<DeploymentConfig>(
    type,
    namespace,
    name,
    'merge',
    { metadata: { resourceVersion }, status: { conditions } },
    { brief: true, subresource: 'status' },
  );
  const { resourceVersion: after } = told.metadata;
  const body = { metadata: { resourceVersion: after }, rollback: null };
  await client.patch(type, namespace, name, 'merge', body, { brief: true });
  const about = { cluster, type, object: config };
  const note = `${name} can't go back: ${message}`;
  events.record(about, { type: 'Warning', reason: 'RollbackRefused', action: 'RollBack', note });
  return { kind: 'done' };
}
