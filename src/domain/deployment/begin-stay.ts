import { ourselves } from '../shared/author.js';
import { defined } from '../shared/optional.js';
import type { DeploymentObservation } from './observation.js';
import { newestOf, type Sets } from './sets.js';
import type { StayBeginning } from './stay-beginning.js';

/** Who has brought a set into force, when, why and from what. */
export function beginStay(
  { deployment, observedAtMs }: DeploymentObservation,
  { newSet, oldSets }: Sets,
): StayBeginning {
  const { author, rolledBack } = deployment;
  const previous = newestOf(oldSets);
  const backTo = newSet?.revision === 0 ? undefined : newSet?.revision;
  const beginning = {
    startedAt: new Date(observedAtMs).toISOString(),
    ...defined({
      backTo,
      from: previous && { name: previous.name, revision: previous.revision },
    }),
  };
  if (newSet !== undefined && rolledBack?.to === newSet.name) {
    return { ...beginning, manager: ourselves, reason: rolledBack.message };
  }
  return { ...beginning, ...author };
}
