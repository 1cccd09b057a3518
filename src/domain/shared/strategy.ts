import type { IntOrPercent } from './int-or-percent.js';

/** How pods of an old template are replaced by those of a new one. */
export type Strategy =
  | { readonly type: 'Recreate' }
  | {
      readonly type: 'RollingUpdate';
      readonly maxSurge: IntOrPercent;
      readonly maxUnavailable: IntOrPercent;
    };
