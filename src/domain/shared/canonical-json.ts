/**
 * JSON with sorted keys and without absent values, so that two spellings of one object are one text.
 * Kubernetes treats an absent field, null and an empty list alike. An empty map says something, as in
 * `emptyDir: {}`, and stays.
 */
export function canonicalJson(value: object): string {
  return JSON.stringify(canonical(value));
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, inner]) => !isAbsent(inner))
    .map(([key, inner]) => [key, canonical(inner)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
