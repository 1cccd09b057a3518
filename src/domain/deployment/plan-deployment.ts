import { findCondition, setCondition } from '../shared/conditions.js';
import { computeStatus, sameStatus, type JudgedStatus } from './compute-status.js';
import { describeRollout } from './describe-rollout.js';
import {
  isComplete,
  progressDeadlineMs,
  progressingType,
  type NewSetNews,
} from './judge-progress.js';
import type { DeploymentObservation, ReplicaSetSummary } from './observation.js';
import { planCleanup } from './plan-cleanup.js';
import { planRollingStep, type SizeChange } from './plan-rolling-step.js';
import { isScaled, planScaling } from './plan-scaling.js';
import type { Action, DeploymentPlan, FailureReason, Next, Phase, SetSize } from './plan.js';
import { sizeAnnotations } from './sizes.js';

/**
 * The next step of a Deployment, from what was observed: which ReplicaSets to create, scale, adopt or
 * delete, the status to write, and whether to look again. The same observation always gives the same
 * plan, and a plan carried out twice changes nothing the second time.
 */
export function planDeployment(seen: DeploymentObservation): DeploymentPlan {
  const { deployment } = seen;
  if (deployment.beingDeleted) return planFarewell(seen);
  if (deployment.problem !== undefined) {
    return planStandstill(seen, 'InvalidTemplate', deployment.problem);
  }
  const orphans = seen.replicaSets.filter((set) => set.isOrphan && !set.beingDeleted);
  if (orphans.length > 0) return planAdoption(seen, orphans);

  const sets = splitSets(seen);
  const revision = planRevision(sets);
  const sizing = planSizes(seen, sets, revision);
  const synced = planSync(seen, sets, revision, sizing);
  const judged = computeStatus(seen, newsOf(seen, sets, sizing));
  return summarise(seen, { sets, judged, revision, actions: [...synced, ...sizing] });
}

/** The sets of the current template and of all others. */
export interface Sets {
  readonly newSet: ReplicaSetSummary | undefined;
  readonly oldSets: readonly ReplicaSetSummary[];
}

function splitSets({ replicaSets }: DeploymentObservation): Sets {
  const newSet = replicaSets.find((set) => set.isNew);
  return { newSet, oldSets: replicaSets.filter((set) => set !== newSet) };
}

/** One more than the highest of the others; a set that is rolled back to gets a new number too. */
function planRevision({ newSet, oldSets }: Sets): number {
  const highestOld = Math.max(0, ...oldSets.map((set) => set.revision));
  return Math.max(newSet?.revision ?? 0, highestOld + 1);
}

/** While paused, and when only the size changed, no template moves: sizes are shared out alone. */
function planSizes(seen: DeploymentObservation, sets: Sets, revision: number): readonly Action[] {
  const { deployment, replicaSets } = seen;
  const shared = isScaled(deployment, replicaSets)
    ? toScaleActions(seen, planScaling(deployment, replicaSets))
    : [];
  if (deployment.paused || shared.length > 0) return shared;
  return planStrategyStep(seen, sets, revision);
}

function planStrategyStep(
  seen: DeploymentObservation,
  sets: Sets,
  revision: number,
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
  revision: number,
): readonly Action[] {
  const { newSize, shrinks } = planRollingStep(seen.deployment, newSet, oldSets);
  if (newSet === undefined) {
    return [createAction(seen, newSize, revision), ...toScaleActions(seen, shrinks)];
  }
  const growth = newSize === newSet.desired ? [] : [{ set: newSet, to: newSize }];
  return toScaleActions(seen, [...growth, ...shrinks]);
}

/** All old pods go, and only when the last is really gone does a new one come. */
function planRecreate(
  seen: DeploymentObservation,
  { newSet, oldSets }: Sets,
  revision: number,
): readonly Action[] {
  const active = oldSets.filter((set) => set.desired > 0);
  if (active.length > 0)
    return toScaleActions(
      seen,
      active.map((set) => ({ set, to: 0 })),
    );
  const areLeaving = oldSets.some((set) => set.replicas > 0 || !set.statusIsCurrent);
  if (areLeaving || (seen.oldPods ?? 0) > 0) return [];
  if (newSet === undefined) return [createAction(seen, seen.deployment.replicas, revision)];
  if (newSet.desired === seen.deployment.replicas) return [];
  return toScaleActions(seen, [{ set: newSet, to: seen.deployment.replicas }]);
}

function createAction(seen: DeploymentObservation, replicas: number, revision: number): Action {
  return {
    kind: 'createReplicaSet',
    name: seen.deployment.newReplicaSetName,
    replicas,
    revision,
    sizes: sizeAnnotations(seen.deployment),
  };
}

function toScaleActions(
  { deployment }: DeploymentObservation,
  changes: readonly SizeChange[],
): readonly Action[] {
  const sizes = sizeAnnotations(deployment);
  return changes.map(({ set, to }) => ({
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
  { newSet, oldSets }: Sets,
  revision: number,
  sizing: readonly Action[],
): readonly Action[] {
  const { deployment } = seen;
  const actions: Action[] = [];
  if (newSet !== undefined && (!newSet.inSync || newSet.revision !== revision)) {
    actions.push({ kind: 'syncReplicaSet', name: newSet.name, uid: newSet.uid, revision });
  }
  const creates = sizing.some((action) => action.kind === 'createReplicaSet');
  if ((newSet !== undefined || creates) && deployment.revision !== revision) {
    actions.push({ kind: 'recordRevision', revision });
  }
  const hasNotes = deployment.pauseReason !== undefined || deployment.cancelReason !== undefined;
  if (hasNotes && !deployment.paused) actions.push({ kind: 'clearPauseNotes' });
  const settled = deployment.paused || isComplete(deployment, computeStatus(seen, none).status);
  if (settled && sizing.length === 0) {
    const excess = planCleanup(deployment, oldSets);
    actions.push(
      ...excess.map(({ name, uid }) => ({ kind: 'deleteReplicaSet', name, uid }) as const),
    );
  }
  return actions;
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
    newSet.revision < deployment.revision ||
    (last?.reason === 'NewReplicaSetAvailable' && oldSets.some((set) => set.desired > 0));
  return last === undefined || wentBack ? { kind: 'found', name: newSet.name } : none;
}

interface Parts {
  readonly sets: Sets;
  readonly judged: JudgedStatus;
  readonly revision: number;
  readonly actions: readonly Action[];
}

function summarise(seen: DeploymentObservation, parts: Parts): DeploymentPlan {
  const { deployment } = seen;
  const { judged, actions } = parts;
  const phase = decidePhase(seen, judged);
  const revision =
    parts.sets.newSet === undefined && deployment.paused ? deployment.revision : parts.revision;
  return {
    phase,
    ...(phase === 'Failed' ? { failure: 'ProgressDeadlineExceeded' } : {}),
    summary: describeRollout(seen, phase, revision, actions),
    revision,
    sets: describeSets(seen),
    actions,
    ...(sameStatus(judged.status, deployment.status) ? {} : { status: judged.status }),
    next: decideNext(seen, phase, judged),
  };
}

function describeSets({ replicaSets }: DeploymentObservation): readonly SetSize[] {
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

function decidePhase({ deployment }: DeploymentObservation, judged: JudgedStatus): Phase {
  if (judged.progress === 'complete') return 'Complete';
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

/** What to write when nothing can be done until somebody mends the Deployment or its surroundings. */
export function planStandstill(
  seen: DeploymentObservation,
  reason: FailureReason,
  problem: string,
): DeploymentPlan {
  const { deployment, observedAtMs } = seen;
  const counted = computeStatus(seen, none).status;
  const conditions = setCondition(
    // The deadline plays no part in this, so only what is said here may be said of the progress.
    deployment.status.conditions,
    { type: progressingType, status: 'False', reason, message: problem },
    observedAtMs,
    findCondition(deployment.status.conditions, progressingType)?.message !== problem,
  );
  const status = { ...counted, conditions };
  return {
    phase: 'Failed',
    failure: reason,
    summary: `Nothing can be done: ${problem}`,
    revision: deployment.revision,
    sets: describeSets(seen),
    actions: [],
    ...(sameStatus(status, deployment.status) ? {} : { status }),
    next: { kind: 'end' },
  };
}

function planAdoption(
  { deployment }: DeploymentObservation,
  orphans: readonly ReplicaSetSummary[],
): DeploymentPlan {
  return {
    phase: 'Progressing',
    summary: `Adopting ${orphans.map(({ name }) => name).join(', ')}, which matches the selector.`,
    revision: deployment.revision,
    sets: [],
    actions: orphans.map(({ name, uid }) => ({ kind: 'adoptReplicaSet', name, uid })),
    next: { kind: 'wait' },
  };
}
