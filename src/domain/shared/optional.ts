type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** The fields that have a value, for objects in which an absent field and `undefined` differ. */
export function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
}
