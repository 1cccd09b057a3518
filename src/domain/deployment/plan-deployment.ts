import { compareRevisions, type Revision } from '../shared/revision.js';
import { findCondition } from '../shared/conditions.js';
import { hookCheckMs, type HookTurn } from '../shared/hook.js';
import type { Next } from '../shared/next.js';
import { defined } from '../shared/optional.js';
import { computeStatus, sameStatus, type JudgedStatus } from './compute-status.js';
import { describeRollout } from './describe-rollout.js';
import type { Gate } from './gate.js';
import { findRevert, isRenewed } from './judge-gate.js';
import { progressDeadlineMs, progressingType, type NewSetNews } from './judge-progress.js';
import { nameScalingTriggers } from './name-triggers.js';
import type { DeploymentObservation, Trigger } from './observation.js';
import { planClaims } from './plan-claims.js';
import { planCleanup } from './plan-cleanup.js';
import { planMarks } from './plan-marks.js';
import { planAutomaticRollback, planRequestedRollback } from './plan-rollback.js';
import { isScaled } from './plan-scaling.js';
import { planSizes, rememberRollout } from './plan-sizes.js';
import { planStandstill } from './plan-standstill.js';
import type { Action, DeploymentPlan, FailureReason, Phase } from './plan.js';
import { describeSets, planRevision, splitSets, type Sets } from './sets.js';

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
  const sizing = planSizes(seen, sets, revision, computeStatus(seen, none).gate);
  const synced = planSync(seen, sets, revision, sizing);
  const judged = computeStatus(seen, newsOf(seen, sets, sizing));
  return (
    planAutomaticRollback(seen, sets, judged) ??
    summarise(seen, { sets, judged, revision, actions: [...synced, ...sizing] })
  );
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
    const renewal = isRenewed(seen, sets) ? { renewsHooks: true } : {};
    actions.push(isMoved ? { ...sync, memory: rememberRollout(seen, sets), ...renewal } : sync);
  }
  const creates = sizing.some((action) => action.kind === 'createReplicaSet');
  if ((newSet !== undefined || creates) && deployment.revision !== revision) {
    actions.push({ kind: 'recordRevision', revision });
  }
  const hasNotes = deployment.pauseReason !== undefined || deployment.cancelReason !== undefined;
  if (hasNotes && !deployment.paused) actions.push({ kind: 'clearPauseNotes' });
  actions.push(...planMarks(seen, sets));
  const settled = deployment.paused || computeStatus(seen, none).progress === 'complete';
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
  const hook = chooseHook(seen, judged.gate);
  const triggers = nameTriggers(seen, actions);
  const revision =
    parts.sets.newSet === undefined && deployment.paused ? deployment.revision : parts.revision;
  return {
    phase,
    ...(phase === 'Failed' ? { failure: failureOf(judged) } : {}),
    summary: describeRollout(seen, {
      phase,
      revision,
      actions,
      sets: parts.sets,
      gate: judged.gate,
    }),
    revision,
    sets: describeSets(seen),
    ...(triggers === undefined ? {} : { triggers }),
    actions,
    ...(sameStatus(judged.status, deployment.status) ? {} : { status: judged.status }),
    ...defined({ hook }),
    // A hook that is stopped with its rollout ends by itself.
    next:
      hook === undefined || phase === 'Cancelled'
        ? decideNext(seen, phase, judged)
        : { kind: 'wait', untilMs: seen.observedAtMs + hookCheckMs },
  };
}

/** The hook that a rollout waits for, or else one that reverts what was given up; a pause starts none. */
function chooseHook(
  { deployment, replicaSets }: DeploymentObservation,
  gate: Gate,
): HookTurn | undefined {
  const turn =
    (gate.kind === 'held' ? gate.turn : undefined) ??
    // Sets that others share with this Deployment, or that it lets go, are none of its own.
    findRevert(replicaSets.filter((set) => !set.isOrphan && set.isStray !== true))?.turn;
  return deployment.paused && turn?.hasBegun !== true ? undefined : turn;
}

const failureOf = ({ progress }: JudgedStatus): FailureReason =>
  progress === 'aborted' ? 'HookFailed' : 'ProgressDeadlineExceeded';

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
  const hasFailed = judged.progress === 'late' || judged.progress === 'aborted';
  return hasFailed ? 'Failed' : 'Progressing';
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
