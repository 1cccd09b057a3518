import { compareRevisions, type Revision } from '../shared/revision.js';
import type { JudgedStatus } from './compute-status.js';
import { sameStatus } from './compute-status.js';
import { hasLeftTraces, leavesTraces } from './judge-gate.js';
import { hasEnded } from './judge-progress.js';
import type {
  DeploymentObservation,
  DeploymentSummary,
  ReplicaSetSummary,
  RollbackReason,
} from './observation.js';
import type { Action, DeploymentPlan } from './plan.js';
import { describeSets, newestOf, splitSets, type Sets } from './sets.js';

/**
 * Goes back to the revision that the Deployment asks for, in its spec or by the annotation, and takes
 * the wish away, also when it can't be met. A paused Deployment keeps it until it is resumed.
 */
export function planRequestedRollback(seen: DeploymentObservation): DeploymentPlan | undefined {
  const { deployment } = seen;
  const { rollbackTo } = deployment;
  if (rollbackTo === undefined || deployment.paused) return undefined;
  const target = findTarget(seen, rollbackTo);
  if (target === undefined) {
    const note =
      rollbackTo === 0
        ? 'Unable to find last revision.'
        : 'Unable to find the revision to rollback to.';
    return refuse(seen, 'DeploymentRollbackRevisionNotFound', note);
  }
  if (target.isNew) {
    const note = `The rollback revision contains the same template as current deployment "${deployment.name}"`;
    return refuse(seen, 'DeploymentRollbackTemplateUnchanged', note);
  }
  const { name, uid, revision } = target;
  return buildPlan(seen, `Rolling back to revision ${revision}, as asked.`, [
    { kind: 'rollBack', name, uid, revision },
    {
      kind: 'announce',
      type: 'Normal',
      reason: 'DeploymentRollback',
      note: `Rolled back deployment "${deployment.name}" to revision ${revision}`,
    },
  ]);
}

function findTarget(
  seen: DeploymentObservation,
  revision: Revision,
): ReplicaSetSummary | undefined {
  const { oldSets } = splitSets(seen);
  if (revision === 0) return newestOf(oldSets);
  return seen.replicaSets.find((set) => set.revision === revision);
}

function refuse(seen: DeploymentObservation, reason: string, note: string): DeploymentPlan {
  return buildPlan(seen, `Not rolling back: ${note}`, [
    { kind: 'clearRollback' },
    { kind: 'announce', type: 'Warning', reason, note },
  ]);
}

function buildPlan(
  seen: DeploymentObservation,
  summary: string,
  actions: readonly Action[],
): DeploymentPlan {
  return {
    phase: 'Progressing',
    summary,
    revision: seen.deployment.revision,
    sets: describeSets(seen),
    actions,
    next: { kind: 'wait' },
  };
}

/**
 * A rollout that has failed goes back to the last revision that was complete, where the Deployment asks
 * for that: once for each template, and never from what it has already gone back to. The status that
 * tells of the failure is written first, so that whoever waits for the rollout learns of it.
 */
export function planAutomaticRollback(
  seen: DeploymentObservation,
  sets: Sets,
  judged: JudgedStatus,
): DeploymentPlan | undefined {
  const { deployment } = seen;
  const failure = judgeFailure(deployment, sets, judged);
  if (failure === undefined) return undefined;
  const { failed, message, reason } = failure;
  const target = findLastComplete(failed, sets.oldSets);
  if (target === undefined || isSecondTime(deployment, failed)) return undefined;
  if (isBarred(deployment, failed, target, sets)) return undefined;
  const why = `${message}; rolled back to revision ${target.revision}`;
  const plan = buildPlan(seen, `${message}: rolling back to revision ${target.revision}.`, [
    {
      kind: 'rollBack',
      name: target.name,
      uid: target.uid,
      revision: target.revision,
      note: { from: failed.name, to: target.name, reason, message: why },
    },
    { kind: 'announce', type: 'Warning', reason: 'DeploymentRollback', note: why },
  ]);
  return sameStatus(judged.status, deployment.status) ? plan : { ...plan, status: judged.status };
}

interface RolloutFailure {
  readonly failed: ReplicaSetSummary;
  readonly reason: RollbackReason;
  readonly message: string;
}

/** Pods that crash long after their rollout has ended are no reason to go back. */
function judgeFailure(
  deployment: DeploymentSummary,
  { newSet }: Sets,
  { progress, gate }: JudgedStatus,
): RolloutFailure | undefined {
  if (deployment.rollsBackOnFailure !== true || deployment.paused) return undefined;
  if (newSet === undefined || progress === 'complete') return undefined;
  if (hasEnded(deployment, newSet)) return undefined;
  const revision = `Revision ${newSet.revision}`;
  if (gate.kind === 'failed') {
    return { failed: newSet, reason: 'HookFailed', message: `${revision} failed: ${gate.reason}` };
  }
  if (newSet.crash !== undefined) {
    return {
      failed: newSet,
      reason: 'PodsCrash',
      message: `${revision} failed: ${newSet.crash}`,
    };
  }
  if (progress !== 'late') return undefined;
  return {
    failed: newSet,
    reason: 'ProgressDeadlineExceeded',
    message: `${revision} made no progress for ${deployment.progressDeadlineSeconds ?? 0} s`,
  };
}

/** Why a rollout that failed stays where it is, although it is asked to go back. */
export function explainStay({ deployment }: DeploymentObservation, sets: Sets): string {
  const { newSet, oldSets } = sets;
  if (deployment.rollsBackOnFailure !== true || newSet === undefined) return '';
  const target = findLastComplete(newSet, oldSets);
  if (target !== undefined && isBarred(deployment, newSet, target, sets)) {
    return ' Hooks have done what nothing reverts, so it stays; spec.rollbackOverHooks allows it to go back.';
  }
  return isSecondTime(deployment, newSet)
    ? ' It has been rolled back once already, so it stays.'
    : ' No earlier revision was complete, so there is nothing to roll back to.';
}

/**
 * Going back would leave new data to old code, which only its owner can tell to be harmless: that of this rollout,
 * or of one in between that never was complete.
 */
function isBarred(
  { rollsBackOverHooks }: DeploymentSummary,
  failed: ReplicaSetSummary,
  target: ReplicaSetSummary,
  { oldSets }: Sets,
): boolean {
  if (rollsBackOverHooks === true) return false;
  const between = oldSets.filter(({ revision }) => compareRevisions(revision, target.revision) > 0);
  return leavesTraces(failed) || between.some(hasLeftTraces);
}

const isSecondTime = ({ rolledBack }: DeploymentSummary, failed: ReplicaSetSummary): boolean =>
  failed.failed !== undefined || rolledBack?.from === failed.name || rolledBack?.to === failed.name;

/** The one that was complete when this rollout began; else the newest that has pods to show for it. */
function findLastComplete(
  failed: ReplicaSetSummary,
  oldSets: readonly ReplicaSetSummary[],
): ReplicaSetSummary | undefined {
  const usable = oldSets.filter((set) => !set.beingDeleted);
  return (
    usable.find(({ name }) => name === failed.lastComplete) ??
    newestOf(usable.filter((set) => set.failed === undefined && set.available > 0))
  );
}
