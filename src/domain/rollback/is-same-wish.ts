import { canonicalJson } from '../shared/canonical-json.js';
import type { RollbackWish } from './wish.js';

/** Whether two wishes ask for the same, whoever asks. */
export const isSameWish = (one: RollbackWish, other: RollbackWish): boolean =>
  describe(one) === describe(other);

const describe = ({ by: _by, ...wish }: RollbackWish): string => canonicalJson(wish);
