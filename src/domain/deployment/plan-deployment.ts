import { compareRevisions, type Revision } from '../shared/revision.js';
import { findCondition } from '../shared/conditions.js';
import { computeStatus, sameStatus, type JudgedStatus } from './compute-status.js';
import { describeRollout } from './describe-rollout.js';
import {
  findAvailableSet,
  hasEnded,
  isComplete,
  progressDeadlineMs,
  progressingType,
  type NewSetNews,
} from './judge-progress.js';
import { nameRolloutTriggers, nameScalingTriggers } from './name-triggers.js';
import type { DeploymentObservation, Trigger } from './observation.js';
import { planClaims } from './plan-claims.js';
import { planCleanup } from './plan-cleanup.js';
import { planAutomaticRollback, planRequestedRollback } from './plan-rollback.js';
import { planRollingStep, type SizeChange } from './plan-rolling-step.js';
import { isScaled, planScaling } from './plan-scaling.js';
import { planStandstill } from './plan-standstill.js';
import type { Action, DeploymentPlan, Next, Phase, RolloutMemory } from './plan.js';
import { describeSets, newestOf, planRevision, splitSets, type Sets } from './sets.js';
import { sizeAnnotations } from './sizes.js';

/**
 * The next step of a Deployment, from what was observed: which ReplicaSets to create, scale, adopt,
 * release or delete, the status to write, and whether to look again. The same observation always gives
 * the same plan, and a plan carried out twice changes nothing the second time.
 */
export function planDeployment(seen: DeploymentObservation): DeploymentPlan {
  const { beingDeleted, problem, templateProblem, rollbackTo } = seen.deployment;
  if (beingDeleted) return planFarewell(seen);
  // A template that can't be used is a good reason to go back, so that much is still done.
  const obstacle = problem ?? (rollbackTo === undefined ? templateProblem : undefined);
  if (obstacle !== undefined) return planStandstill(seen, 'InvalidTemplate', obstacle);
  const first = planClaims(seen) ?? planRequestedRollback(seen);
  if (first !== undefined) return first;
  if (templateProblem === undefined) return planRollout(seen);
  return planStandstill(seen, 'InvalidTemplate', templateProblem);
}

function planRollout(seen: DeploymentObservation): DeploymentPlan {
  const sets = splitSets(seen);
  const revision = planRevision(sets);
  const sizing = planSizes(seen, sets, revision);
  const synced = planSync(seen, sets, revision, sizing);
  const judged = computeStatus(seen, newsOf(seen, sets, sizing));
  return (
    planAutomaticRollback(seen, sets, judged) ??
    summarise(seen, { sets, judged, revision, actions: [...synced, ...sizing] })
  );
}

/** While paused, and when only the size changed, no template moves: sizes are shared out alone. */
function planSizes(seen: DeploymentObservation, sets: Sets, revision: Revision): readonly Action[] {
  const { deployment, replicaSets } = seen;
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

function planRollingUpdate(
  seen: DeploymentObservation,
  { newSet, oldSets }: Sets,
  revision: Revision,
): readonly Action[] {
  const { newSize, shrinks } = planRollingStep(seen.deployment, newSet, oldSets);
  if (newSet === undefined) {
    return [createAction(seen, oldSets, newSize, revision), ...toScaleActions(seen, shrinks)];
  }
  const growth = newSize === newSet.desired ? [] : [{ set: newSet, to: newSize }];
  return toScaleActions(seen, [...growth, ...shrinks]);
}

/** All old pods go, and only when the last is really gone does a new one come. */
function planRecreate(
  seen: DeploymentObservation,
  { newSet, oldSets }: Sets,
  revision: Revision,
): readonly Action[] {
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

function areOldPodsLeft({ oldPods = 0 }: DeploymentObservation, { oldSets }: Sets): boolean {
  return oldPods > 0 || oldSets.some((set) => set.replicas > 0 || !set.statusIsCurrent);
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

function rememberRollout(seen: DeploymentObservation, sets: Sets): RolloutMemory {
  const triggers = nameRolloutTriggers(seen.deployment, sets.newSet);
  const lastComplete = findLastComplete(seen, sets);
  return lastComplete === undefined ? { triggers } : { triggers, lastComplete };
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
  changes: readonly SizeChange[],
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

/** Keeps revisions and what is handed down true, and clears away what the history limit leaves over. */
function planSync(
  seen: DeploymentObservation,
  sets: Sets,
  revision: Revision,
  sizing: readonly Action[],
): readonly Action[] {
  const { deployment } = seen;
  const { newSet, oldSets } = sets;
  const actions: Action[] = [];
  if (newSet !== undefined && (!newSet.inSync || newSet.revision !== revision)) {
    const { name, uid } = newSet;
    const sync = { kind: 'syncReplicaSet', name, uid, revision } as const;
    const isMoved = newSet.revision !== revision;
    actions.push(isMoved ? { ...sync, memory: rememberRollout(seen, sets) } : sync);
  }
  const creates = sizing.some((action) => action.kind === 'createReplicaSet');
  if ((newSet !== undefined || creates) && deployment.revision !== revision) {
    actions.push({ kind: 'recordRevision', revision });
  }
  const hasNotes = deployment.pauseReason !== undefined || deployment.cancelReason !== undefined;
  if (hasNotes && !deployment.paused) actions.push({ kind: 'clearPauseNotes' });
  actions.push(...planRollbackNotes(seen, sets), ...planCompletionMark(seen, sets));
  const settled = deployment.paused || isComplete(deployment, computeStatus(seen, none).status);
  if (settled && sizing.length === 0) {
    const excess = planCleanup(deployment, oldSets);
    actions.push(
      ...excess.map(({ name, uid }) => ({ kind: 'deleteReplicaSet', name, uid }) as const),
    );
  }
  return actions;
}

/** Marks the set that an automatic rollback turned away from, and forgets a rollback that is overtaken. */
function planRollbackNotes(
  { deployment: { rolledBack }, replicaSets }: DeploymentObservation,
  { newSet }: Sets,
): readonly Action[] {
  if (rolledBack === undefined) return [];
  const { from, to, message } = rolledBack;
  const failed = replicaSets.find(({ name, failed: mark }) => name === from && mark === undefined);
  const marks: readonly Action[] =
    failed === undefined
      ? []
      : [{ kind: 'markFailed', name: failed.name, uid: failed.uid, message }];
  return newSet?.name === to ? marks : [...marks, { kind: 'clearRollbackNote' }];
}

/**
 * Where an automatic rollback may need to know it later, the set that is complete remembers it itself:
 * a pause, say, takes away the condition that says so. One that had failed before is so no longer.
 */
function planCompletionMark(seen: DeploymentObservation, { newSet }: Sets): readonly Action[] {
  const { deployment, replicaSets } = seen;
  const isNowComplete = isComplete(deployment, computeStatus(seen, none).status);
  const name = findAvailableSet(deployment) ?? (isNowComplete ? newSet?.name : undefined);
  const set = replicaSets.find((one) => one.name === name);
  if (set === undefined) return [];
  const isMissing = deployment.rollsBackOnFailure === true && set.lastComplete !== set.name;
  const isMended = set.failed !== undefined && set === newSet && isNowComplete;
  return isMissing || isMended ? [{ kind: 'markComplete', name: set.name, uid: set.uid }] : [];
}

const none: NewSetNews = { kind: 'none' };

function newsOf(
  { deployment }: DeploymentObservation,
  { newSet, oldSets }: Sets,
  sizing: readonly Action[],
): NewSetNews {
  if (sizing.some((action) => action.kind === 'createReplicaSet')) {
    return { kind: 'created', name: deployment.newReplicaSetName };
  }
  if (newSet === undefined) return none;
  // A set is found, not made, when a Deployment takes over what was there or goes back to it.
  const last = findCondition(deployment.status.conditions, progressingType);
  const wentBack =
    compareRevisions(newSet.revision, deployment.revision) < 0 ||
    (last?.reason === 'NewReplicaSetAvailable' && oldSets.some((set) => set.desired > 0));
  return last === undefined || wentBack ? { kind: 'found', name: newSet.name } : none;
}

interface Parts {
  readonly sets: Sets;
  readonly judged: JudgedStatus;
  readonly revision: Revision;
  readonly actions: readonly Action[];
}

function summarise(seen: DeploymentObservation, parts: Parts): DeploymentPlan {
  const { deployment } = seen;
  const { judged, actions } = parts;
  const phase = decidePhase(seen, parts.sets, judged);
  const triggers = nameTriggers(seen, actions);
  const revision =
    parts.sets.newSet === undefined && deployment.paused ? deployment.revision : parts.revision;
  return {
    phase,
    ...(phase === 'Failed' ? { failure: 'ProgressDeadlineExceeded' } : {}),
    summary: describeRollout(seen, { phase, revision, actions, sets: parts.sets }),
    revision,
    sets: describeSets(seen),
    ...(triggers === undefined ? {} : { triggers }),
    actions,
    ...(sameStatus(judged.status, deployment.status) ? {} : { status: judged.status }),
    next: decideNext(seen, phase, judged),
  };
}

/** Named in the plan that starts something, so that the history has it. */
function nameTriggers(
  { deployment, replicaSets }: DeploymentObservation,
  actions: readonly Action[],
): readonly Trigger[] | undefined {
  for (const action of actions) {
    if (action.kind === 'createReplicaSet') return action.memory.triggers;
    if (action.kind === 'syncReplicaSet' && action.memory !== undefined)
      return action.memory.triggers;
  }
  return isScaled(deployment, replicaSets) ? nameScalingTriggers(deployment) : undefined;
}

function decidePhase(
  { deployment }: DeploymentObservation,
  { newSet }: Sets,
  judged: JudgedStatus,
): Phase {
  if (judged.progress === 'complete') {
    const wentBack = newSet !== undefined && deployment.rolledBack?.to === newSet.name;
    return wentBack ? 'RolledBack' : 'Complete';
  }
  if (deployment.paused) return deployment.cancelReason === undefined ? 'Paused' : 'Cancelled';
  return judged.progress === 'late' ? 'Failed' : 'Progressing';
}

function decideNext(seen: DeploymentObservation, phase: Phase, judged: JudgedStatus): Next {
  if (phase !== 'Progressing' && phase !== 'Paused') return { kind: 'end' };
  const untilMs = progressDeadlineMs(seen.deployment, judged.status.conditions);
  return untilMs === undefined ? { kind: 'wait' } : { kind: 'wait', untilMs };
}

function planFarewell({ deployment }: DeploymentObservation): DeploymentPlan {
  return {
    phase: 'Deleted',
    summary: 'The Deployment is being deleted: nothing is left to do.',
    revision: deployment.revision,
    sets: [],
    actions: [],
    next: { kind: 'end' },
  };
}
