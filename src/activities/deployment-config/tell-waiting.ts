import {
  isWaiting,
  markWaiting,
  waitingReason,
} from '../../domain/deployment-config/mark-waiting.js';
import { formatSource, type ImageSource } from '../../domain/deployment-config/triggers.js';
import { canonicalJson } from '../../domain/shared/canonical-json.js';
import { findCondition } from '../../domain/shared/conditions.js';
import { readyType } from '../../domain/images/plan-image-repository.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import type { DeploymentConfig } from '../../kubernetes/deployment-configs/objects.js';
import { readConfig } from '../../kubernetes/deployment-configs/read-config.js';
import { readTriggers } from '../../kubernetes/deployment-configs/read-triggers.js';
import type { ImageRepository } from '../../kubernetes/image-repositories/objects.js';
import { readRepositoryStatus } from '../../kubernetes/image-repositories/read-repository.js';
import { resources } from '../../kubernetes/resources.js';
import type { EventRecorder } from '../events.js';

export interface WaitingScene {
  readonly cluster: string;
  readonly client: KubernetesClient;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly config: DeploymentConfig;
  /** As `namespace/repository:tag`; none when it waits no more. */
  readonly waitsFor: readonly string[];
  readonly findRepository: (namespace: string, name: string) => ImageRepository | undefined;
}

/** Says in a config's status which images it waits for, and why they are not known. */
export async function tellWaiting(scene: WaitingScene): Promise<void> {
  const { config, client, events } = scene;
  const { namespace = '', name, resourceVersion } = config.metadata;
  const { latestVersion, status, generation } = readConfig(config);
  const awaited = readTriggers(config.spec, namespace)
    .images.filter(({ source }) => scene.waitsFor.includes(formatSource(source)))
    .map(({ source }) => ({ source: formatSource(source), ...explain(scene, source) }));
  const before = status.conditions;
  const conditions = markWaiting({ latestVersion, conditions: before }, awaited, Date.now());
  if (canonicalJson({ conditions }) === canonicalJson({ conditions: before })) return;
  // Nothing else writes the status of a config that has no version yet.
  const seen = latestVersion === 0 ? { observedGeneration: generation } : {};
  await client.patch(
    resources.deploymentConfigs,
    namespace,
    name,
    'merge',
    { metadata: { resourceVersion }, status: { ...seen, conditions } },
    { brief: true, subresource: 'status' },
  );
  if (isWaiting(before) || !isWaiting(conditions)) return;
  const note = conditions.find(({ reason }) => reason === waitingReason)?.message ?? '';
  events.record(
    { cluster: scene.cluster, type: resources.deploymentConfigs, object: config },
    { type: 'Normal', reason: waitingReason, action: 'Wait', note },
  );
}

function explain(
  { findRepository }: WaitingScene,
  { namespace, repository: name }: ImageSource,
): { readonly problem?: string } {
  const repository = findRepository(namespace, name);
  if (repository === undefined) {
    return { problem: `there is no ImageRepository ${namespace}/${name}` };
  }
  const ready = findCondition(readRepositoryStatus(repository).conditions, readyType);
  return ready?.status === 'False' ? { problem: ready.message ?? ready.reason ?? '' } : {};
}
