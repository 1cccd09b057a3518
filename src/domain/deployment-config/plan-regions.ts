import { resolveMargins } from '../shared/sizes.js';
import type { Strategy } from '../shared/strategy.js';
import type { RegionSummary } from './observation.js';
import type { VersionAction } from './plan.js';

export interface RegionsPlan {
  readonly actions: readonly VersionAction[];
  /** The region that is being moved; absent once all have been. */
  readonly moving?: RegionSummary;
}

export interface RegionsTarget {
  readonly version: number;
  readonly strategy: Strategy;
}

/**
 * Moves regions to a version, one after another by their names: each gets the version's template and has
 * its pods replaced, as many at a time as may be missing.
 */
export function planRegions(regions: readonly RegionSummary[], target: RegionsTarget): RegionsPlan {
  const moving = [...regions]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .find((region) => !isMoved(region, target.version));
  if (moving === undefined) return { actions: [] };
  return { actions: planRegion(moving, target), moving };
}

function isMoved(region: RegionSummary, version: number): boolean {
  return (
    region.version === version &&
    region.heldSize === undefined &&
    region.statusIsCurrent &&
    region.available >= region.desired &&
    region.pods.every((pod) => pod.version === version && !pod.isBeingDeleted)
  );
}

/** How many of a region's pods are of the version and well. */
export const countMoved = (region: RegionSummary, version: number): number =>
  region.pods.filter((pod) => pod.version === version && pod.isReady && !pod.isBeingDeleted).length;

function planRegion(region: RegionSummary, target: RegionsTarget): readonly VersionAction[] {
  const { name, uid, heldSize, pods } = region;
  const { version, strategy } = target;
  if (region.version !== version) {
    return [{ kind: 'moveRegion', name, uid, version, isEmptied: strategy.type === 'Recreate' }];
  }
  if (heldSize !== undefined) {
    return pods.length > 0 ? [] : [{ kind: 'refillRegion', name, uid, size: heldSize }];
  }
  return pickReplaceable(region, target).map((pod) => ({
    kind: 'deletePod',
    name: pod.name,
    uid: pod.uid,
  }));
}

/**
 * Old pods that serve nobody go at once, others as far as the floor allows. Always the same ones first: one
 * whose deletion has not come back yet must be meant again, not another in its place.
 */
function pickReplaceable(
  region: RegionSummary,
  { version, strategy }: RegionsTarget,
): RegionSummary['pods'] {
  const { desired, available, pods } = region;
  const staying = pods.filter(({ isBeingDeleted }) => !isBeingDeleted);
  const old = staying
    .filter((pod) => pod.version !== version)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const ready = staying.filter(({ isReady }) => isReady).length;
  const missing = Math.max(0, desired - Math.min(ready, available));
  const { unavailable } = resolveMargins({ replicas: desired, strategy });
  const room = Math.max(0, Math.max(1, unavailable) - missing);
  return [
    ...old.filter(({ isReady }) => !isReady),
    ...old.filter(({ isReady }) => isReady).slice(0, room),
  ];
}
