import type { KubernetesClient } from '../../kubernetes/client.js';
import type { KubernetesObject } from '../../kubernetes/objects.js';
import { resources } from '../../kubernetes/resources.js';
import { isMap, type JsonMap } from './json-value.js';
import type { Manifest } from './parse-manifests.js';

export interface ManifestWriteOptions {
  readonly dryRun?: boolean;
  /** Who asks for what the manifest asks for, where it doesn't say. */
  readonly by?: string;
}

/** A wish to go back, which is no config in itself. */
export const isRollback = ({ type, object }: Manifest): boolean =>
  type === resources.deploymentConfigs && isMap(toMap(object)['rollback']);

/** Applies an object; of a wish to go back, only that is written, into the config that is there. */
export function writeManifest(
  client: KubernetesClient,
  manifest: Manifest,
  { dryRun = false, by }: ManifestWriteOptions = {},
): Promise<KubernetesObject> {
  const { type, object } = manifest;
  const options = { dryRun, strict: true };
  if (!isRollback(manifest)) return client.apply(type, object, options);
  const { namespace, name } = object.metadata;
  const { rollback } = toMap(object);
  const wish = { ...(by === undefined ? {} : { by }), ...(isMap(rollback) ? rollback : {}) };
  return client.patch(type, namespace, name, 'merge', { rollback: wish }, options);
}

const toMap = (object: Manifest['object']): JsonMap => object as unknown as JsonMap;
