import type { KubernetesObject } from '../../kubernetes/objects.js';

/** Objects by the uid of the one that controls each; those that nobody controls are left out. */
export function groupByOwner<T extends KubernetesObject>(objects: Iterable<T>): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const object of objects) {
    const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
    if (owner === undefined) continue;
    const group = groups.get(owner.uid);
    if (group === undefined) groups.set(owner.uid, [object]);
    else group.push(object);
  }
  return groups;
}
