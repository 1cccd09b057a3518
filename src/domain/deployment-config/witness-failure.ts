import type { VersionPlan } from './plan.js';

/** What one run has seen of its version. */
export interface Witness {
  /** It was there when the version was not over yet. */
  readonly wasOpen: boolean;
  /** The failure was found by this run, not by one before it. */
  readonly hasFailed: boolean;
}

/**
 * What a run knows after one more plan. The moment of a failure itself may be lost with the worker or with
 * Temporal: a run that has seen its version under way before has seen it fail all the same.
 */
export function witnessFailure(
  { wasOpen, hasFailed }: Witness,
  { phase, actions }: Pick<VersionPlan, 'phase' | 'actions'>,
): Witness {
  const failsNow = actions.some((action) => action.kind === 'setPhase' && action.to === 'Failed');
  const isFailed = phase === 'Failed' || phase === 'Cancelled';
  const isOpen = !isFailed && phase !== 'Complete' && phase !== 'Deleted';
  return {
    wasOpen: wasOpen || isOpen,
    hasFailed: hasFailed || failsNow || (wasOpen && isFailed),
  };
}
