import type { RollbackOutcome } from '../../contracts/rollback.js';

/**
 * Whether it was somebody's cancel that ended a rollback: of the run itself, or of a version. Where one config
 * failed, or could not even begin, the others were cancelled on its account.
 */
export function wasCancelled({
  phase,
  standings,
}: Pick<RollbackOutcome, 'phase' | 'standings'>): boolean {
  const failed = standings.filter(({ state }) => state === 'Failed');
  return phase === 'Cancelled' || (failed.length > 0 && failed.every((one) => one.isCancelled));
}
