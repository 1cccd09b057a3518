import type { ControllerSummary, VersionObservation } from './observation.js';
import { hasSucceeded } from './plan-deployer.js';
import { planRegions } from './plan-regions.js';
import { regionsTarget, targetOf } from './plan-sizes.js';

/** Whether nothing is left to move, be it its own pods or those of regions. */
export function isFinished(
  seen: VersionObservation,
  own: ControllerSummary,
  others: readonly ControllerSummary[],
): boolean {
  const regions = planRegions(seen.regions ?? [], regionsTarget(own));
  return isRolledOut(seen, own, others) && regions.moving === undefined;
}

/** Regions follow when the version itself has all its pods. */
export function isRolledOut(
  seen: VersionObservation,
  own: ControllerSummary,
  others: readonly ControllerSummary[],
): boolean {
  if (own.strategy.type === 'Custom') return hasSucceeded(own.deployer);
  const target = targetOf(seen);
  return (
    own.statusIsCurrent &&
    own.desired === target &&
    own.available === target &&
    others.every(({ desired, replicas }) => desired === 0 && replicas === 0)
  );
}
