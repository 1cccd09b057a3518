import { titleOf, type Manifest } from './parse-manifests.js';

export interface Placement {
  /** The namespace for objects that name none. */
  readonly namespace: string;
  /** The namespace that the user asked for, which no object may contradict. */
  readonly required?: string | undefined;
}

/** Gives every object its namespace; nothing may be there twice. */
export function placeManifests(manifests: readonly Manifest[], { namespace, required }: Placement) {
  const mistakes: string[] = [];
  const seen = new Map<string, Manifest>();
  const placed = manifests.map((manifest): Manifest => {
    const own = manifest.object.metadata.namespace;
    if (required !== undefined && own !== undefined && own !== required) {
      mistakes.push(
        `${titleOf(manifest)}: metadata.namespace: "${own}" contradicts --namespace ${required}`,
      );
    }
    const metadata = { ...manifest.object.metadata, namespace: own ?? namespace };
    const key = [manifest.type.apiVersion, manifest.type.kind, metadata.namespace, metadata.name];
    const other = seen.get(key.join('/'));
    if (other !== undefined) {
      mistakes.push(`${titleOf(manifest)}: metadata.name: is in ${other.source} already`);
    }
    seen.set(key.join('/'), manifest);
    return { ...manifest, object: { ...manifest.object, metadata } };
  });
  return { placed, mistakes };
}
