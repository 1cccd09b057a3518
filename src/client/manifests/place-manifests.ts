import type { KubernetesObject } from '../../kubernetes/objects.js';
import { isMap, isText, listOf, type JsonMap } from './json-value.js';
import { titleOf, type Manifest } from './parse-manifests.js';

export interface Placement {
  /** The namespace for objects that name none. */
  readonly namespace: string;
  /** The namespace that the user asked for, which no object may contradict. */
  readonly required?: string | undefined;
}

/** Gives every object its namespace, if its kind has one; nothing may be there twice. */
export function placeManifests(manifests: readonly Manifest[], placement: Placement) {
  const mistakes: string[] = [];
  const seen = new Map<string, Manifest>();
  const placed = manifests.map((manifest): Manifest => {
    const { required } = placement;
    const own = manifest.object.metadata.namespace;
    const isContradiction = required !== undefined && isText(own) && own !== required;
    if (isContradiction && manifest.type.namespaced) {
      mistakes.push(
        `${titleOf(manifest)}: metadata.namespace: "${own}" contradicts --namespace ${required}`,
      );
    }
    const object = place(manifest, isText(own) ? own : placement.namespace);
    const { namespace = '', name } = object.metadata;
    const key = [manifest.type.apiVersion, manifest.type.kind, namespace, name].join('/');
    const other = seen.get(key);
    if (other !== undefined) {
      mistakes.push(`${titleOf(manifest)}: metadata.name: is in ${other.source} already`);
    }
    seen.set(key, manifest);
    return { ...manifest, object };
  });
  return { placed, mistakes };
}

function place({ type, object }: Manifest, namespace: string): Manifest['object'] {
  const { namespace: _own, ...metadata } = object.metadata;
  if (!type.namespaced) return { ...object, metadata };
  return { ...placeSubjects(object, namespace), metadata: { ...metadata, namespace } };
}

/** OpenShift takes a ServiceAccount to be in the namespace of the RoleBinding; Kubernetes wants it said. */
function placeSubjects<T extends KubernetesObject>(object: T, namespace: string): T {
  const { subjects } = object as unknown as JsonMap;
  if (object.kind !== 'RoleBinding' || !Array.isArray(subjects)) return object;
  const placed = listOf(subjects).map((subject) =>
    isMap(subject) && subject['kind'] === 'ServiceAccount' && !isText(subject['namespace'])
      ? { ...subject, namespace }
      : subject,
  );
  return { ...object, subjects: placed };
}
