/** What follows a plan, once it is carried out. */
export type Next =
  /** Look again when something changes, or at that time at the latest. */
  | { readonly kind: 'wait'; readonly untilMs?: number }
  /** Nothing is left to do until the object or its pods change. */
  | { readonly kind: 'end' };
