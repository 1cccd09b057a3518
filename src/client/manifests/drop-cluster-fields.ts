import { isMap, without, type JsonMap } from './json-value.js';

const written = [
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
];

/** An object without what only the cluster writes, and what exported files are full of. */
export function dropClusterFields(object: JsonMap): JsonMap {
  const { metadata } = object;
  const rest = without(object, ['status']);
  return isMap(metadata) ? { ...rest, metadata: without(metadata, written) } : rest;
}
