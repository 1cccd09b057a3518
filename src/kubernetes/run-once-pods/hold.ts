import { isConflict, isNotFound } from '../api-error.js';
import type { KubernetesClient } from '../client.js';
import type { Pod } from '../objects.js';
import { resources } from '../resources.js';

/**
 * A run-once pod that somebody deletes stays until its end has been noted: else nobody could tell one that
 * has run from one that was never made, and it would run twice.
 */
export const runOnceFinalizer = 'slipway.dev/run-once';

export const isHeld = ({ metadata }: Pick<Pod, 'metadata'>): boolean =>
  metadata.finalizers?.includes(runOnceFinalizer) === true;

const mostTries = 5;

/** Lets go of a pod whose end has been noted; whoever changes it meanwhile only makes that take longer. */
export async function releasePod(
  client: KubernetesClient,
  {
    namespace,
    name,
    uid,
  }: { readonly namespace: string; readonly name: string; readonly uid: string },
): Promise<void> {
  for (let triesLeft = mostTries; ; triesLeft -= 1) {
    try {
      const pod = await client.get<Pod>(resources.pods, namespace, name);
      if (pod.metadata.uid !== uid || !isHeld(pod)) return;
      const { resourceVersion, finalizers = [] } = pod.metadata;
      const left = finalizers.filter((finalizer) => finalizer !== runOnceFinalizer);
      const body = { metadata: { uid, resourceVersion, finalizers: left } };
      await client.patch(resources.pods, namespace, name, 'merge', body, { brief: true });
      return;
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isConflict(error) || triesLeft === 1) throw error;
    }
  }
}
