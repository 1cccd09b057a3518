import type { JsonMap } from '../json-value.js';

/** An object in today's form, and clauses about what it can't say; each begins with the field. */
export interface Conversion {
  /** Left out when there is nothing that it could become. */
  readonly object?: JsonMap;
  readonly mistakes: readonly string[];
  /** What was left out, which is no mistake. */
  readonly notes?: readonly string[];
}

/** A clause for each field of a map that nobody knows how to convert. */
export function findUnknownFields(
  map: JsonMap,
  known: readonly string[],
  path: string,
): readonly string[] {
  return Object.keys(map)
    .filter((name) => !known.includes(name))
    .map((name) => `${path === '' ? '' : `${path}.`}${name}: can't be converted to today's form`);
}
