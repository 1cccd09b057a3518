export interface ValueChange {
  /** Example: spec.containers[0].image */
  readonly path: string;
  /** Left out where there was nothing before. */
  readonly from?: unknown;
  /** Left out where there is nothing any more. */
  readonly to?: unknown;
}

/** What differs between two plain values, one entry for each smallest part that does. */
export function compareValues(from: unknown, to: unknown, path = ''): ValueChange[] {
  if (isBranch(from) && isBranch(to) && Array.isArray(from) === Array.isArray(to)) {
    const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    return keys.flatMap((key) =>
      compareValues(from[key], to[key], joinPath(path, key, Array.isArray(from))),
    );
  }
  if (Object.is(from, to)) return [];
  return [{ path, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }];
}

/** Order of keys and fields that are absent or undefined make no difference. */
export const equalValues = (a: unknown, b: unknown): boolean => compareValues(a, b).length === 0;

/** Whether everything the part says holds in the whole, which may say more, as defaults do. */
export function containsValue(whole: unknown, part: unknown): boolean {
  if (!isBranch(part)) return Object.is(whole, part);
  if (!isBranch(whole) || Array.isArray(whole) !== Array.isArray(part)) return false;
  if (Array.isArray(whole) && whole.length !== (part['length'] as number)) return false;
  return Object.entries(part).every(([key, value]) => containsValue(whole[key], value));
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function joinPath(path: string, key: string, isIndex: boolean): string {
  if (isIndex) return `${path}[${key}]`;
  if (!/^[\w-]+$/.test(key)) return `${path}["${key}"]`;
  return path === '' ? key : `${path}.${key}`;
}
