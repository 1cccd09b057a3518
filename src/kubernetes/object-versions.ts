import type { KubernetesObject } from './objects.js';

export const isAsNew = (found: string, since: string): boolean => BigInt(found) >= BigInt(since);

/** The resource versions of what belongs to an object, by uid. */
export const versionsOf = (objects: readonly KubernetesObject[]): Record<string, string> =>
  Object.fromEntries(
    objects.map(({ metadata }) => [metadata.uid ?? '', metadata.resourceVersion ?? '0']),
  );
