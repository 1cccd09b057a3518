import type { Versions } from '../../contracts/advance.js';
import type { VersionRef, VersionWork } from '../../contracts/deployment-config.js';
import type { ConfigStatus } from '../../domain/deployment-config/observation.js';
import { toVersionStages } from '../../domain/deployment-config/plan.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import { selectorOf } from '../../kubernetes/deployment-configs/build-controller.js';
import type { ConfigView } from '../../kubernetes/deployment-configs/config-view.js';
import { describeTriggers } from '../../kubernetes/deployment-configs/describe-triggers.js';
import type { DeploymentConfig } from '../../kubernetes/deployment-configs/objects.js';
import { resources } from '../../kubernetes/resources.js';
import type { CarryOutResult } from '../advance.js';
import { carryOut, writeStage } from '../carry-out.js';
import type { EventRecorder } from '../events.js';
import { VersionWriter } from './version-writer.js';

/** Where and for which version something is carried out. */
export interface VersionScene {
  readonly client: KubernetesClient;
  readonly view: ConfigView;
  readonly events: EventRecorder;
  readonly ref: VersionRef;
}

/** Writes what the plan says: versions first, then the config's status, which never runs ahead of them. */
export function carryOutVersion(
  scene: VersionScene,
  work: VersionWork,
  seen: Versions,
): Promise<CarryOutResult> {
  const { client, view, events, ref } = scene;
  const attempt = `carry out the plan for version ${ref.version} of ${ref.namespace}/${ref.name}`;
  return carryOut(seen, attempt, async (versions) => {
    const config = view.get(ref);
    if (config?.metadata.resourceVersion !== seen.deployment) return false;
    const writer = new VersionWriter({
      client,
      ref,
      config,
      planned: seen.replicaSets,
      seen: (name) => view.getControllerNamed(ref.namespace, name),
    });
    for (const stage of toVersionStages(work.actions)) {
      await writeStage(stage, (action) => writer.write(action), versions);
    }
    if (work.status !== undefined) {
      versions.deployment = await writeStatus(client, config, work.status);
    }
    for (const action of work.actions) {
      if (action.kind !== 'announce') continue;
      const about = { cluster: ref.cluster, type: resources.deploymentConfigs, object: config };
      const { type, reason, note } = action;
      events.record(about, { type, reason, note, action: reason });
    }
    return true;
  });
}

/** Resolves to the config's version after that. */
async function writeStatus(
  client: KubernetesClient,
  config: DeploymentConfig,
  status: ConfigStatus,
): Promise<string> {
  const { namespace, name, resourceVersion } = config.metadata;
  const selector = Object.entries(selectorOf(config))
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  const triggeredBy = describeTriggers(config.spec);
  const body = { metadata: { resourceVersion }, status: { ...status, selector, triggeredBy } };
  const { metadata } = await client.patch<DeploymentConfig>(
    resources.deploymentConfigs,
    namespace,
    name,
    'merge',
    body,
    { brief: true, subresource: 'status' },
  );
  return metadata.resourceVersion ?? resourceVersion ?? '0';
}
