import type { RollbackWish } from './wish.js';

/** What is gone back to, and with which parts. */
export type Return = Pick<RollbackWish, 'config' | 'application'> & { readonly to: number };

/** Whether going back in one way does all that going back in another would. */
export const isCovered = (wanted: Return, done: Return): boolean =>
  wanted.to === done.to &&
  (done.config || !wanted.config) &&
  (done.application || !wanted.application);
