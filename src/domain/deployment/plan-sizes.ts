import type { Revision } from '../shared/revision.js';
import type { Gate } from './gate.js';
import { beginStay } from './begin-stay.js';
import { hasEnded } from './judge-progress.js';
import { nameRolloutTriggers } from './name-triggers.js';
import type { DeploymentObservation } from './observation.js';
import { defined } from '../shared/optional.js';
import { planRollingStep } from '../shared/plan-rolling-step.js';
import { isScaled, planScaling, type SetChange } from './plan-scaling.js';
import type { Action, RolloutMemory } from './plan.js';
import { areOldPodsLeft, newestOf, type Sets } from './sets.js';
import { sizeAnnotations } from './size-annotations.js';

/** While paused, and when only the size changed, no template moves: sizes are shared out alone. */
export function planSizes(
  seen: DeploymentObservation,
  sets: Sets,
  revision: Revision,
  gate: Gate,
): readonly Action[] {
  const { deployment, replicaSets } = seen;
  const isHeld = gate.kind === 'failed' || (gate.kind === 'held' && gate.holds === 'pods');
  if (isHeld) return planHeldSizes(seen, sets, revision);
  const shared = isScaled(deployment, replicaSets) ? planScaling(deployment, replicaSets) : [];
  if (deployment.paused || shared.length > 0) {
    const mustWait = deployment.strategy.type === 'Recreate' && areOldPodsLeft(seen, sets);
    return toScaleActions(
      seen,
      shared.filter(({ set, to }) => !(mustWait && set.isNew && to > set.desired)),
    );
  }
  return planStrategyStep(seen, sets, revision);
}

/**
 * While a hook is waited for, pods of the new set neither come nor go; the old ones may be scaled, and
 * there must be a set to keep what becomes of the hook.
 */
function planHeldSizes(
  seen: DeploymentObservation,
  { newSet, oldSets }: Sets,
  revision: Revision,
): readonly Action[] {
  const { deployment } = seen;
  if (newSet === undefined) {
    return deployment.paused ? [] : [createAction(seen, oldSets, 0, revision)];
  }
  const isServing = newSet.desired === 0 && oldSets.some((set) => set.desired > 0);
  const scaled = { ...deployment, paused: true };
  if (!isServing || !isScaled(scaled, oldSets)) return [];
  return toScaleActions(seen, planScaling(scaled, oldSets));
}

/** Hooks that run before the first pod is replaced need a set that has none yet. */
const startsEmpty = ({ deployment: { hookMoments = [] } }: DeploymentObservation): boolean =>
  hookMoments.includes('pre') || hookMoments.includes('mid');

function planStrategyStep(
  seen: DeploymentObservation,
  sets: Sets,
  revision: Revision,
): readonly Action[] {
  switch (seen.deployment.strategy.type) {
    case 'RollingUpdate':
      return planRollingUpdate(seen, sets, revision);
    case 'Recreate':
      return planRecreate(seen, sets, revision);
  }
}

/** A set that needs the room of others is made without pods: it may be refused, and nothing went for it. */
function planRollingUpdate(
  seen: DeploymentObservation,
  { newSet, oldSets }: Sets,
  revision: Revision,
): readonly Action[] {
  const { newSize, shrinks } = planRollingStep(seen.deployment, newSet, oldSets);
  if (newSet === undefined) {
    const isEmpty = shrinks.length > 0 || startsEmpty(seen);
    return [createAction(seen, oldSets, isEmpty ? 0 : newSize, revision)];
  }
  const growth = newSize === newSet.desired ? [] : [{ set: newSet, to: newSize }];
  return toScaleActions(seen, [...shrinks, ...growth]);
}

/** All old pods go, and only when the last is really gone does a new one come. */
function planRecreate(
  seen: DeploymentObservation,
  { newSet, oldSets }: Sets,
  revision: Revision,
): readonly Action[] {
  if (newSet === undefined && startsEmpty(seen)) return [createAction(seen, oldSets, 0, revision)];
  const active = oldSets.filter((set) => set.desired > 0);
  if (active.length > 0)
    return toScaleActions(
      seen,
      active.map((set) => ({ set, to: 0 })),
    );
  if (areOldPodsLeft(seen, { newSet, oldSets })) return [];
  if (newSet === undefined) {
    return [createAction(seen, oldSets, seen.deployment.replicas, revision)];
  }
  if (newSet.desired === seen.deployment.replicas) return [];
  return toScaleActions(seen, [{ set: newSet, to: seen.deployment.replicas }]);
}

function createAction(
  seen: DeploymentObservation,
  oldSets: Sets['oldSets'],
  replicas: number,
  revision: Revision,
): Action {
  return {
    kind: 'createReplicaSet',
    name: seen.deployment.newReplicaSetName,
    replicas,
    revision,
    sizes: sizeAnnotations(seen.deployment),
    memory: rememberRollout(seen, { newSet: undefined, oldSets }),
  };
}

/** What a set that becomes the new one is to remember of that moment. */
export function rememberRollout(seen: DeploymentObservation, sets: Sets): RolloutMemory {
  const triggers = nameRolloutTriggers(seen.deployment, sets.newSet);
  const lastComplete = findLastComplete(seen, sets);
  const beginning = beginStay(seen, sets);
  return { triggers, ...defined({ lastComplete }), beginning };
}

/** The set before this one where its rollout had ended well, else the one that it remembers itself. */
function findLastComplete(
  { deployment }: DeploymentObservation,
  { oldSets }: Sets,
): string | undefined {
  const previous = newestOf(oldSets);
  if (previous === undefined) return undefined;
  const servesAlone =
    previous.desired > 0 &&
    previous.available >= previous.desired &&
    oldSets.every((set) => set === previous || set.desired === 0);
  const wasComplete = hasEnded(deployment, previous) || servesAlone;
  return wasComplete ? previous.name : previous.lastComplete;
}

/**
 * A set that was shrunk grows again only when its status has caught up: else counts from before would
 * vouch for pods that have only just been asked for.
 */
function toScaleActions(
  { deployment }: DeploymentObservation,
  changes: readonly SetChange[],
): readonly Action[] {
  const sizes = sizeAnnotations(deployment);
  const possible = changes.filter(
    ({ set, to }) => to <= set.desired || set.replicas <= set.desired,
  );
  return possible.map(({ set, to }) => ({
    kind: 'scaleReplicaSet',
    name: set.name,
    uid: set.uid,
    from: set.desired,
    to,
    sizes,
  }));
}
