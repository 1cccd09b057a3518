import { resolveMargins, steadilyAvailable, sum, type PodSet, type Sized } from './sizes.js';

export interface SizeChange<Set extends PodSet> {
  readonly set: Set;
  readonly to: number;
}

export interface RollingStep<Set extends PodSet> {
  readonly newSize: number;
  readonly shrinks: readonly SizeChange<Set>[];
}

/**
 * The next safe sizes of a rolling update: the old sets shrink as far as the floor allows, and the new
 * one grows into the room under the ceiling that they leave. Both in one step, because the new set's
 * added pods count as unavailable until they are seen to be available.
 * Example: 10 pods at surge 3 and outage 2, old 10, new 0 -> old 8, new 5.
 */
export function planRollingStep<Set extends PodSet>(
  deployment: Sized,
  newSet: Set | undefined,
  oldSets: readonly Set[],
): RollingStep<Set> {
  const size = newSet?.desired ?? 0;
  const newAvailable =
    newSet === undefined ? 0 : Math.min(steadilyAvailable(newSet), deployment.replicas);
  const shrinks = planShrinks(deployment, newAvailable, oldSets);
  const given = sum(shrinks, ({ set, to }) => set.desired - to);
  const oldSize = sum(oldSets, (set) => set.desired) - given;
  return { newSize: planNewSize(deployment, size, oldSize), shrinks };
}

function planNewSize(deployment: Sized, size: number, oldSize: number): number {
  if (size >= deployment.replicas) return deployment.replicas;
  const ceiling = deployment.replicas + resolveMargins(deployment).surge;
  return Math.min(deployment.replicas, size + Math.max(0, ceiling - size - oldSize));
}

/**
 * Sick old pods go first: they serve nobody and may be what the rollout is waiting for. Healthy ones
 * go, oldest set first, while what is available stays at or above the floor.
 */
function planShrinks<Set extends PodSet>(
  deployment: Sized,
  newAvailable: number,
  oldSets: readonly Set[],
): readonly SizeChange<Set>[] {
  const floor = deployment.replicas - resolveMargins(deployment).unavailable;
  const oldTotal = sum(oldSets, (set) => set.desired);
  // Were every old pod healthy, this many could go and the floor would still hold without the new
  // pods that are not available yet.
  let removable = oldTotal + newAvailable - floor;
  const oldestFirst = oldSets
    .filter((set) => set.desired > 0)
    .sort((a, b) => a.createdAtMs - b.createdAtMs || (a.name < b.name ? -1 : 1));

  const sizes = new Map(oldestFirst.map((set) => [set, set.desired]));
  for (const set of oldestFirst) {
    const sick = Math.min(set.desired - steadilyAvailable(set), Math.max(0, removable));
    sizes.set(set, set.desired - sick);
    removable -= sick;
  }
  for (const set of oldestFirst) {
    const left = sizes.get(set) ?? 0;
    const healthy = Math.min(left, Math.max(0, removable));
    sizes.set(set, left - healthy);
    removable -= healthy;
  }
  return oldestFirst
    .map((set) => ({ set, to: sizes.get(set) ?? set.desired }))
    .filter(({ set, to }) => to !== set.desired);
}
