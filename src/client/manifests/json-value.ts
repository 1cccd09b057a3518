/** A map of fields, as YAML and JSON have them. */
export type JsonMap = Readonly<Record<string, unknown>>;

export function isMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that says something. */
export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '';

/** The map, or one without fields in its place. */
export const mapOf = (value: unknown): JsonMap => (isMap(value) ? value : {});

/** The list, or an empty one in its place. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The map without the fields of these names. */
export function without(map: JsonMap, names: readonly string[]): JsonMap {
  return Object.fromEntries(Object.entries(map).filter(([name]) => !names.includes(name)));
}

/** Gives every string of a value, keys too, to a function that may put something else in its place. */
export function mapStrings(value: unknown, replace: (text: string) => unknown): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((item: unknown) => mapStrings(item, replace));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [String(replace(key)), mapStrings(item, replace)]),
  );
}
