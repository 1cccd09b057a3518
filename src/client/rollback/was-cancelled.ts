import type { RollbackOutcome } from '../../contracts/rollback.js';
import type { FollowEnd } from '../follower.js';

/**
 * Whether it was somebody's cancel that ended a rollback. Where one config failed, or could not even begin, the
 * others were cancelled on its account.
 */
export function wasCancelled(
  { standings }: Pick<RollbackOutcome, 'standings'>,
  ends: readonly FollowEnd[],
): boolean {
  const hasAllBegun = standings.every(
    ({ state, version }) => state !== 'Failed' || version !== undefined,
  );
  return hasAllBegun && ends.includes('cancelled') && !ends.includes('failed');
}
