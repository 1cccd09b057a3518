import type { DeploymentObservation } from './observation.js';
import type { Action, DeploymentPlan } from './plan.js';

/**
 * Takes the sets that match the selector and have no controller, and lets those go whose labels were
 * changed so that they match no longer. Everything else waits until it is clear whose sets they are.
 */
export function planClaims(seen: DeploymentObservation): DeploymentPlan | undefined {
  const orphans = seen.replicaSets.filter((set) => set.isOrphan && !set.beingDeleted);
  const strays = seen.replicaSets.filter((set) => set.isStray === true);
  if (orphans.length + strays.length === 0) return undefined;
  const sentences = [
    ...(orphans.length === 0 ? [] : [`Adopting ${list(orphans)}, which matches the selector.`]),
    ...(strays.length === 0
      ? []
      : [`Releasing ${list(strays)}, which does not match the selector any more.`]),
  ];
  const actions: Action[] = [
    ...orphans.map(({ name, uid }) => ({ kind: 'adoptReplicaSet', name, uid }) as const),
    ...strays.map(({ name, uid }) => ({ kind: 'releaseReplicaSet', name, uid }) as const),
  ];
  return {
    phase: 'Progressing',
    summary: sentences.join(' '),
    revision: seen.deployment.revision,
    sets: [],
    actions,
    next: { kind: 'wait' },
  };
}

const list = (sets: readonly { readonly name: string }[]): string =>
  sets.map(({ name }) => name).join(', ');
