import {
  findCondition,
  removeCondition,
  setCondition,
  type Condition,
} from '../shared/conditions.js';
import { describeGate, type Gate } from './gate.js';
import type { DeploymentStatus, DeploymentSummary, ReplicaSetSummary } from './observation.js';

export const progressingType = 'Progressing';

/** The counts that tell whether a rollout moves. */
export type Counts = Omit<DeploymentStatus, 'conditions'>;

export type Progress =
  | 'complete'
  | 'moving'
  | 'still'
  | 'late'
  /** A hook is waited for. */
  | 'held'
  /** A hook has failed, and the rollout with it. */
  | 'aborted';

const availableReason = 'NewReplicaSetAvailable';
const hookRunning = 'HookRunning';
const hookFailed = 'HookFailed';

/** What became of the set for the current template in this very step. */
export type NewSetNews =
  | { readonly kind: 'created'; readonly name: string }
  | { readonly kind: 'found'; readonly name: string }
  | { readonly kind: 'none' };

/** As kubectl counts it: all pods are of the current template, and all are available. */
export function isComplete({ replicas }: DeploymentSummary, counts: Counts): boolean {
  return (
    counts.updatedReplicas === replicas &&
    counts.replicas === replicas &&
    counts.availableReplicas === replicas
  );
}

export function judgeProgress(
  deployment: DeploymentSummary,
  counts: Counts,
  news: NewSetNews,
  nowMs: number,
  gate: Gate,
): Progress {
  if (gate.kind === 'failed') return 'aborted';
  const isHeld = gate.kind === 'held';
  if (news.kind !== 'created' && !isHeld && isComplete(deployment, counts)) return 'complete';
  if (news.kind !== 'none') return 'moving';
  if (isHeld) return 'held';
  const before = deployment.status;
  const oldBefore = before.replicas - before.updatedReplicas;
  const oldNow = counts.replicas - counts.updatedReplicas;
  const moves =
    counts.updatedReplicas > before.updatedReplicas ||
    oldNow < oldBefore ||
    counts.readyReplicas > before.readyReplicas ||
    counts.availableReplicas > before.availableReplicas;
  if (moves) return 'moving';
  const last = findCondition(before.conditions, progressingType);
  // Its time begins when the hook has ended.
  if (last?.reason === hookRunning || last?.reason === hookFailed) return 'moving';
  if (last?.reason === 'ProgressDeadlineExceeded') return 'late';
  const deadlineMs = progressDeadlineMs(deployment, before.conditions);
  return deadlineMs !== undefined && nowMs >= deadlineMs ? 'late' : 'still';
}

/**
 * When the rollout counts as failed if nothing moves until then: from the last time it did. A rollout
 * that is paused has all the time in the world, and one that ended has no deadline any more.
 */
export function progressDeadlineMs(
  { progressDeadlineSeconds, paused }: DeploymentSummary,
  conditions: readonly Condition[],
): number | undefined {
  const condition = findCondition(conditions, progressingType);
  if (progressDeadlineSeconds === undefined || paused) return undefined;
  if (condition?.lastUpdateTime === undefined) return undefined;
  // Hooks have deadlines of their own.
  const isTimeless = [availableReason, hookRunning, hookFailed].includes(condition.reason ?? '');
  if (isTimeless) return undefined;
  return Date.parse(condition.lastUpdateTime) + progressDeadlineSeconds * 1_000;
}

/** The `Progressing` condition that says so. Only Deployments with a deadline have one, as users know it. */
export function markProgress(
  deployment: DeploymentSummary,
  conditions: readonly Condition[],
  seen: {
    readonly progress: Progress;
    readonly news: NewSetNews;
    readonly newSetName: string;
    readonly gate: Gate;
  },
  nowMs: number,
): readonly Condition[] {
  if (deployment.progressDeadlineSeconds === undefined) {
    return removeCondition(conditions, progressingType);
  }
  const current = findCondition(conditions, progressingType);
  const marked = markPause(deployment, conditions, nowMs);
  if (deployment.paused) return marked;
  const started = markNews(marked, seen.news, nowMs);
  const name = seen.newSetName;
  switch (seen.progress) {
    case 'complete':
      return setCondition(
        started,
        progressing('True', availableReason, `ReplicaSet "${name}" has successfully progressed.`),
        nowMs,
      );
    case 'moving':
      if (seen.news.kind !== 'none') return started;
      // Pods that come back after a rollout ended (a drained node) don't make it a rollout again.
      if (current?.reason === availableReason && !isRollingAgain(deployment)) return started;
      return setCondition(
        started,
        progressing('True', 'ReplicaSetUpdated', `ReplicaSet "${name}" is progressing.`),
        nowMs,
        true,
      );
    case 'late':
      return setCondition(
        started,
        progressing(
          'False',
          'ProgressDeadlineExceeded',
          `ReplicaSet "${name}" has timed out progressing.`,
        ),
        nowMs,
      );
    case 'held':
      return setCondition(
        started,
        progressing(
          'True',
          hookRunning,
          `ReplicaSet "${name}" waits for ${describeGate(seen.gate)}.`,
        ),
        nowMs,
      );
    case 'aborted':
      return setCondition(
        started,
        progressing('False', hookFailed, `ReplicaSet "${name}": ${describeGate(seen.gate)}`),
        nowMs,
      );
    case 'still':
      return started;
  }
}

/** The set whose rollout, says the condition, has ended well: its message names it. */
export function findAvailableSet({ status }: DeploymentSummary): string | undefined {
  const current = findCondition(status.conditions, progressingType);
  if (current?.reason !== availableReason) return undefined;
  return /"([^"]+)"/.exec(current.message ?? '')?.[1];
}

/** Whether the rollout of a set is over, so that what happens to its pods now is not its failure. */
export function hasEnded(deployment: DeploymentSummary, set: ReplicaSetSummary): boolean {
  return set.lastComplete === set.name || findAvailableSet(deployment) === set.name;
}

/** A completed rollout has only pods of the current template, so anything else is a new one. */
function isRollingAgain({ status }: DeploymentSummary): boolean {
  return status.replicas !== status.updatedReplicas;
}

function markPause(
  { paused }: DeploymentSummary,
  conditions: readonly Condition[],
  nowMs: number,
): readonly Condition[] {
  const current = findCondition(conditions, progressingType);
  if (current?.reason === 'ProgressDeadlineExceeded') return conditions;
  if (paused && current?.reason !== 'DeploymentPaused') {
    return setCondition(
      conditions,
      progressing('Unknown', 'DeploymentPaused', 'Deployment is paused'),
      nowMs,
    );
  }
  if (!paused && current?.reason === 'DeploymentPaused') {
    return setCondition(
      conditions,
      progressing('Unknown', 'DeploymentResumed', 'Deployment is resumed'),
      nowMs,
    );
  }
  return conditions;
}

function markNews(
  conditions: readonly Condition[],
  news: NewSetNews,
  nowMs: number,
): readonly Condition[] {
  switch (news.kind) {
    case 'created':
      return setCondition(
        conditions,
        progressing('True', 'NewReplicaSetCreated', `Created new replica set "${news.name}"`),
        nowMs,
        true,
      );
    case 'found':
      return setCondition(
        conditions,
        progressing('True', 'FoundNewReplicaSet', `Found new replica set "${news.name}"`),
        nowMs,
        true,
      );
    case 'none':
      return conditions;
  }
}

const progressing = (status: Condition['status'], reason: string, message: string) => ({
  type: progressingType,
  status,
  reason,
  message,
});
