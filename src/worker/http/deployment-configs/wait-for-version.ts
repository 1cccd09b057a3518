import { setTimeout as delay } from 'node:timers/promises';

import { isNotFound } from '../../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../../kubernetes/client.js';
import type { DeploymentConfig } from '../../../kubernetes/deployment-configs/objects.js';
import { readRequest } from '../../../kubernetes/deployment-configs/read-request.js';
import { resources } from '../../../kubernetes/resources.js';

/** Between two watches, where one ended before its time. */
const breathMs = 100;

/** The config once it has the version and the wish for it is taken away; undefined when that took too long. */
export async function waitForVersion(
  client: KubernetesClient,
  saved: DeploymentConfig,
  version: number,
  signal: AbortSignal,
): Promise<DeploymentConfig | undefined> {
  let last = saved;
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    try {
      const made = await watchForVersion(client, last, version, signal);
      if (made !== undefined) return made;
      await delay(breathMs, undefined, { signal });
      last = await client.get(
        resources.deploymentConfigs,
        last.metadata.namespace,
        last.metadata.name,
      );
      if (isMade(last, version)) return last;
    } catch (error) {
      if (isNotFound(error)) throw error;
      // It is saved already: whatever hides the cluster for a moment is not the caller's concern.
      if (!isOver()) await delay(breathMs);
    }
  }
  return undefined;
}

/** Undefined when the watch ends, which the server may do at any time. */
async function watchForVersion(
  client: KubernetesClient,
  { metadata: { namespace, name, resourceVersion } }: DeploymentConfig,
  version: number,
  signal: AbortSignal,
): Promise<DeploymentConfig | undefined> {
  const options = { fieldSelector: `metadata.name=${name}`, resourceVersion, signal };
  const events = client.watch<DeploymentConfig>(resources.deploymentConfigs, namespace, options);
  for await (const { type, object } of events) {
    if (type === 'ERROR' || type === 'DELETED') return undefined;
    if (type !== 'BOOKMARK' && isMade(object, version)) return object;
  }
  return undefined;
}

const isMade = (config: DeploymentConfig, version: number): boolean =>
  (config.status?.latestVersion ?? 0) >= version &&
  (readRequest(config)?.version ?? version + 1) > version;
