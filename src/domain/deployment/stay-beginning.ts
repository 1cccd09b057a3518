import type { Author } from '../shared/author.js';
import type { Revision } from '../shared/revision.js';

/** What is known of a stay when it begins, beside its number and its triggers. */
export interface StayBeginning extends Author {
  readonly startedAt: string;
  /** The set that was in force before. */
  readonly from?: { readonly name: string; readonly revision: Revision };
  /** The number that the set had before, when it is gone back to. */
  readonly backTo?: Revision;
}
