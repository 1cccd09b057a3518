import {
  compareRevisions,
  highestRevision,
  nextRevision,
  type Revision,
} from '../shared/revision.js';
import type { DeploymentObservation, ReplicaSetSummary } from './observation.js';
import type { SetSize } from './plan.js';

/** The sets of the current template and of all others. */
export interface Sets {
  readonly newSet: ReplicaSetSummary | undefined;
  readonly oldSets: readonly ReplicaSetSummary[];
}

export function splitSets({ replicaSets }: DeploymentObservation): Sets {
  const newSet = replicaSets.find((set) => set.isNew);
  return { newSet, oldSets: replicaSets.filter((set) => set !== newSet) };
}

/** The set that was the new one before: that of the highest revision. */
export function newestOf(sets: readonly ReplicaSetSummary[]): ReplicaSetSummary | undefined {
  return [...sets].sort(
    (a, b) => compareRevisions(b.revision, a.revision) || b.createdAtMs - a.createdAtMs,
  )[0];
}

/** One more than the highest of the others; a set that is rolled back to gets a new number too. */
export function planRevision({ newSet, oldSets }: Sets): Revision {
  const next = nextRevision(highestRevision(oldSets.map((set) => set.revision)));
  return highestRevision([newSet?.revision ?? 0, next]);
}

/** Whether pods of other templates exist, or may: all must be gone before those of a Recreate come. */
export function areOldPodsLeft({ oldPods = 0 }: DeploymentObservation, { oldSets }: Sets): boolean {
  return oldPods > 0 || oldSets.some((set) => set.replicas > 0 || !set.statusIsCurrent);
}

export function describeSets({ replicaSets }: DeploymentObservation): readonly SetSize[] {
  return replicaSets
    .filter((set) => set.isNew || set.desired > 0 || set.replicas > 0)
    .map(({ name, revision, isNew, desired, replicas, available }) => ({
      name,
      revision,
      isNew,
      desired,
      replicas,
      available,
    }));
}
