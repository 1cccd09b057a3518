import { compareRevisions } from '../shared/revision.js';
import type { DeploymentSummary, ReplicaSetSummary } from './observation.js';
import type { SizeChange } from '../shared/plan-rolling-step.js';
import { resolveMargins, sum } from '../shared/sizes.js';

/** Another size for a ReplicaSet. */
export type SetChange = SizeChange<ReplicaSetSummary>;

/**
 * Whether the Deployment's size was changed since its sets got theirs. While it is paused no strategy
 * follows, so a single set, or none at work, counts too when it has another size.
 */
export function isScaled(
  deployment: DeploymentSummary,
  replicaSets: readonly ReplicaSetSummary[],
): boolean {
  const active = replicaSets.filter((set) => set.desired > 0);
  const only = active.length <= 1 ? (active[0] ?? latest(replicaSets)) : undefined;
  if (deployment.paused && only !== undefined && only.desired !== deployment.replicas) return true;
  return replicaSets.some(
    (set) =>
      set.desired > 0 &&
      set.annotatedDesired !== undefined &&
      set.annotatedDesired !== deployment.replicas,
  );
}

/**
 * Sizes after the Deployment's own size changed. One set takes it all; several, in the middle of a
 * rolling update, share it in proportion, so that a bad new template gets no more than its share.
 * A set whose count stays is named too: it has to learn the new size, which is what ends the scaling.
 */
export function planScaling(
  deployment: DeploymentSummary,
  replicaSets: readonly ReplicaSetSummary[],
): readonly SetChange[] {
  const active = replicaSets.filter((set) => set.desired > 0);
  const only = active.length <= 1 ? (active[0] ?? latest(replicaSets)) : undefined;
  if (only !== undefined) return [{ set: only, to: deployment.replicas }];
  const newSet = active.find((set) => set.isNew);
  if (newSet !== undefined && isSaturated(deployment, newSet)) {
    return active.filter((set) => !set.isNew).map((set) => ({ set, to: 0 }));
  }
  if (deployment.strategy.type === 'Recreate') return [];
  return shareInProportion(deployment, active);
}

function isSaturated(deployment: DeploymentSummary, set: ReplicaSetSummary): boolean {
  return (
    set.desired === deployment.replicas &&
    set.annotatedDesired === deployment.replicas &&
    set.available === deployment.replicas
  );
}

/**
 * Each set keeps its share of the ceiling it was sized under; what rounding leaves over goes to the
 * largest. Example: old 8 and new 5 under a ceiling of 13, scaled from 10 to 30 (ceiling 38 at 25%):
 * 8/13 and 5/13 of 38 are 23 and 15.
 */
function shareInProportion(
  deployment: DeploymentSummary,
  active: readonly ReplicaSetSummary[],
): SetChange[] {
  const ceiling =
    deployment.replicas === 0 ? 0 : deployment.replicas + resolveMargins(deployment).surge;
  const total = sum(active, (set) => set.desired);
  const grows = ceiling > total;
  const ordered = [...active].sort(
    (a, b) =>
      b.desired - a.desired ||
      (grows ? b.createdAtMs - a.createdAtMs : a.createdAtMs - b.createdAtMs) ||
      (a.name < b.name ? -1 : 1),
  );
  let left = ceiling - total;
  const changes = ordered.map((set) => {
    const share = Math.round((set.desired * ceiling) / (set.annotatedMax ?? total)) - set.desired;
    const taken = grows ? clamp(share, 0, left) : clamp(share, left, 0);
    left -= taken;
    return { set, to: set.desired + taken };
  });
  const [largest, ...rest] = changes;
  return largest === undefined ? [] : [{ ...largest, to: Math.max(0, largest.to + left) }, ...rest];
}

const clamp = (value: number, low: number, high: number): number =>
  Math.max(low, Math.min(high, value));

function latest(replicaSets: readonly ReplicaSetSummary[]): ReplicaSetSummary | undefined {
  return (
    replicaSets.find((set) => set.isNew) ??
    [...replicaSets].sort((a, b) => compareRevisions(b.revision, a.revision))[0]
  );
}
