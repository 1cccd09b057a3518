import { findCondition, setCondition, type Condition } from '../shared/conditions.js';
import { sum } from '../shared/sizes.js';
import { cancelReasons } from './cancel-reasons.js';
import type {
  ConfigStatus,
  ControllerSummary,
  VersionObservation,
  VersionPhase,
} from './observation.js';

const pausedReason = 'DeploymentPaused';
const waitingReason = 'CanaryStepWaiting';
/** Whoever is held by these has all the time in the world. */
const heldReasons: readonly (string | undefined)[] = [pausedReason, waitingReason];
const createdReason = 'NewReplicationControllerCreated';
const updatedReason = 'ReplicationControllerUpdated';
/** Of a version under way; any other is left from before, as is that of a try that failed. */
const underWayReasons: readonly (string | undefined)[] = [createdReason, updatedReason];

type Counts = Omit<ConfigStatus, 'conditions'>;

export interface VersionProgress {
  /** Where the version will be once the plan is carried out; absent while it has no controller. */
  readonly phase?: VersionPhase;
  /** Whether pods have come or gone since the status was written. */
  readonly isMoving: boolean;
  readonly failure?: string;
  /** What a step of a canary waits for. */
  readonly waiting?: string;
  readonly isCancelled: boolean;
  /** Why the apiserver won't have it. */
  readonly refusal?: string;
  /** What it is at, where that is more than its own pods. */
  readonly stage?: string;
}

/** The pods of all versions, as they were last told of. */
export function countPods({ config, controllers, version }: VersionObservation): Counts {
  const own = controllers.filter((controller) => controller.version === version);
  const available = sum(controllers, (controller) => controller.available);
  return {
    observedGeneration: config.generation,
    replicas: sum(controllers, ({ replicas }) => replicas),
    updatedReplicas: sum(own, ({ replicas }) => replicas),
    readyReplicas: sum(controllers, ({ ready }) => ready),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, sum(controllers, ({ desired }) => desired) - available),
  };
}

/** As for a Deployment: more new pods, fewer old ones, or more of any that serve. */
export function isMoving({ config }: VersionObservation, counts: Counts): boolean {
  const before = config.status;
  return (
    counts.updatedReplicas > before.updatedReplicas ||
    counts.replicas - counts.updatedReplicas < before.replicas - before.updatedReplicas ||
    counts.readyReplicas > before.readyReplicas ||
    counts.availableReplicas > before.availableReplicas
  );
}

/** The status as it should stand. */
export function computeStatus(seen: VersionObservation, progress: VersionProgress): ConfigStatus {
  const counts = countPods(seen);
  const conditions = markProgress(seen, markAvailability(seen, counts), progress);
  return { ...counts, conditions };
}

/**
 * When a version counts as failed if nothing moves until then: from the last time it did, and not before
 * its deployer has ended, which has a limit of its own. A config that is paused, or a canary's step that
 * waits, has all the time in the world.
 */
export function deadlineMs(
  { config }: VersionObservation,
  { strategy, createdAtMs, deployer, hooks = [] }: ControllerSummary,
): number | undefined {
  const last = findCondition(config.status.conditions, 'Progressing');
  if (config.paused || heldReasons.includes(last?.reason)) return undefined;
  // Time that a deployer or a hook took is not lost.
  const movedAtMs = Math.max(
    createdAtMs,
    parseTime(last?.lastUpdateTime),
    deployer?.endedAtMs ?? 0,
    ...hooks.map(({ endedAtMs = 0 }) => endedAtMs),
  );
  return movedAtMs + strategy.timeoutSeconds * 1_000;
}

/** When a version counts as failed however well it moves; what is paused, or waits for a hook, has time. */
export function wholeLimitMs(
  { config }: VersionObservation,
  { strategy, startedAtMs, phase, hooks = [] }: ControllerSummary,
): number | undefined {
  const hasLimit = strategy.type === 'Rolling' || strategy.type === 'Recreate';
  const { limitSeconds } = hasLimit ? strategy : {};
  if (limitSeconds === undefined || startedAtMs === undefined) return undefined;
  if (phase !== 'Running' || config.paused) return undefined;
  const sinceMs = Math.max(startedAtMs, ...hooks.map(({ endedAtMs = 0 }) => endedAtMs));
  return sinceMs + limitSeconds * 1_000;
}

/** Until when the pods of a version that is over are waited for, from when they went missing. */
export function restDeadlineMs(
  { config }: VersionObservation,
  { strategy, createdAtMs }: ControllerSummary,
): number {
  const { conditions } = config.status;
  const available = findCondition(conditions, 'Available');
  const sinceMs = Math.max(
    createdAtMs,
    parseTime(findCondition(conditions, 'Progressing')?.lastUpdateTime),
    available?.status === 'False' ? parseTime(available.lastTransitionTime) : 0,
  );
  return sinceMs + strategy.timeoutSeconds * 1_000;
}

function parseTime(text: string | undefined): number {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? 0 : ms;
}

function markAvailability(seen: VersionObservation, counts: Counts): readonly Condition[] {
  const { config, observedAtMs } = seen;
  const wanted = config.isTest ? 0 : config.replicas;
  const isEnough = counts.availableReplicas >= wanted;
  return setCondition(
    config.status.conditions,
    {
      type: 'Available',
      status: isEnough ? 'True' : 'False',
      reason: isEnough ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
      message: `Deployment config ${isEnough ? 'has' : 'does not have'} minimum availability.`,
    },
    observedAtMs,
  );
}

function markProgress(
  { config, controllerName, observedAtMs }: VersionObservation,
  conditions: readonly Condition[],
  progress: VersionProgress,
): readonly Condition[] {
  const name = `replication controller "${controllerName}"`;
  const mark = (
    status: Condition['status'],
    reason: string,
    message: string,
    refresh = false,
  ): readonly Condition[] =>
    setCondition(
      conditions,
      { type: 'Progressing', status, reason, message },
      observedAtMs,
      refresh || findCondition(conditions, 'Progressing')?.message !== message,
    );
  const { phase, refusal } = progress;
  if (refusal !== undefined) return mark('False', 'ReplicationControllerCreateError', refusal);
  if (phase === undefined) {
    return mark('True', createdReason, `Created new ${name}`);
  }
  switch (phase) {
    case 'Complete':
      return mark('True', 'NewReplicationControllerAvailable', `${name} successfully rolled out`);
    case 'Failed':
      return progress.isCancelled
        ? mark('False', 'RolloutCancelled', describeCancellation(name, progress))
        : mark(
            'False',
            'ProgressDeadlineExceeded',
            `${name} has failed: ${progress.failure ?? ''}`,
          );
    case 'New':
    case 'Pending':
    case 'Running':
      if (config.paused) return mark('Unknown', pausedReason, 'deployment config is paused');
      if (progress.waiting !== undefined) return mark('True', waitingReason, progress.waiting);
      // Time counts again from the moment in which it is resumed, or tried again.
      if (
        !progress.isMoving &&
        progress.stage === undefined &&
        underWayReasons.includes(findCondition(conditions, 'Progressing')?.reason)
      ) {
        return conditions;
      }
      return mark(
        'True',
        updatedReason,
        progress.stage ?? `${name} is progressing`,
        progress.isMoving,
      );
  }
}

function describeCancellation(name: string, { failure }: VersionProgress): string {
  const why = failure === cancelReasons.oldWon ? `: ${failure}` : '';
  return `rollout of ${name} was cancelled${why}`;
}
