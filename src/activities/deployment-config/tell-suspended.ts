import { markSuspended, suspendedType } from '../../domain/deployment-config/mark-suspended.js';
import { canonicalJson } from '../../domain/shared/canonical-json.js';
import { findCondition, type Condition } from '../../domain/shared/conditions.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import type { DeploymentConfig } from '../../kubernetes/deployment-configs/objects.js';
import { readConfig } from '../../kubernetes/deployment-configs/read-config.js';
import { readSuspension } from '../../kubernetes/deployment-configs/suspension.js';
import { resources } from '../../kubernetes/resources.js';
import type { EventRecorder } from '../events.js';

export interface SuspendedScene {
  readonly cluster: string;
  readonly client: KubernetesClient;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly config: DeploymentConfig;
}

/** Says in a config's status that its triggers are suspended, since when and why; resolves to whether it wrote. */
export async function tellSuspended(scene: SuspendedScene): Promise<boolean> {
  const { config, client, events, cluster } = scene;
  const { namespace = '', name, resourceVersion } = config.metadata;
  const before = readConfig(config).status.conditions;
  const conditions = markSuspended(before, readSuspension(config), Date.now());
  if (canonicalJson({ conditions }) === canonicalJson({ conditions: before })) return false;
  await client.patch(
    resources.deploymentConfigs,
    namespace,
    name,
    'merge',
    { metadata: { resourceVersion }, status: { conditions } },
    { brief: true, subresource: 'status' },
  );
  const note = describeChange(before, conditions);
  if (note !== undefined) {
    const about = { cluster, type: resources.deploymentConfigs, object: config };
    events.record(about, { type: 'Normal', action: note.reason, ...note });
  }
  return true;
}

/** What is news to whoever reads events: not another word for what stands there already. */
function describeChange(
  before: readonly Condition[],
  after: readonly Condition[],
): { readonly reason: string; readonly note: string } | undefined {
  const [was, is] = [findCondition(before, suspendedType), findCondition(after, suspendedType)];
  if (was === undefined && is !== undefined)
    return { reason: suspendedType, note: is.message ?? '' };
  if (was === undefined || is !== undefined) return undefined;
  return { reason: 'TriggersResumed', note: 'Triggers make versions again' };
}
