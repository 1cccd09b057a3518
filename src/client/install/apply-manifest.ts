import { ApiError, isNotFound } from '../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import type { KubernetesObject } from '../../kubernetes/objects.js';
import { badInput } from '../failure.js';
import type { Manifest } from './read-manifests.js';

export type Applied = 'created' | 'updated' | 'unchanged';

/** Server-side apply: what others have added to the object stays. */
export async function applyManifest(
  client: KubernetesClient,
  { type, object }: Manifest,
): Promise<Applied> {
  const { namespace, name } = object.metadata;
  try {
    const before = await readVersion(client, { type, object });
    const after = await client.apply(type, object, { strict: true });
    if (before === undefined) return 'created';
    return after.metadata.resourceVersion === before ? 'unchanged' : 'updated';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const where = namespace === undefined ? name : `${namespace}/${name}`;
    throw badInput(`${type.kind} ${where} can't be applied: ${error.message}`, error);
  }
}

async function readVersion(
  client: KubernetesClient,
  { type, object }: Manifest,
): Promise<string | undefined> {
  try {
    const { namespace, name } = object.metadata;
    const found = await client.get<KubernetesObject>(type, namespace, name);
    return found.metadata.resourceVersion;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
