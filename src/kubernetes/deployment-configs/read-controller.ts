import {
  versionPhases,
  type ControllerSummary,
  type VersionPhase,
  type VersionStrategy,
} from '../../domain/deployment-config/observation.js';
import type { IntOrPercent } from '../../domain/shared/int-or-percent.js';
import { defined } from '../../domain/shared/optional.js';
import type { RunOncePod } from '../../domain/shared/run-once-pod.js';
import { readHookSummaries } from '../hooks/read-hook-summaries.js';
import { readTime } from '../read-time.js';
import { configAnnotations } from './annotations.js';
import { decodeConfig } from './build-controller.js';
import { usualDeadlineSeconds } from './build-deployer-pod.js';
import { readCanaryNotes, readCanaryStages } from './read-canary.js';
import type { DeploymentStrategy, ReplicationController, RollingParams } from './objects.js';

const usualTimeoutSeconds = 600;
const usualMargin = '25%';

/** What decisions need of a version; undefined for a ReplicationController that is none. */
export function readController(
  controller: ReplicationController,
  deployer?: RunOncePod,
): ControllerSummary | undefined {
  const { metadata, spec, status } = controller;
  const written = metadata.annotations ?? {};
  const version = Number(written[configAnnotations.version]);
  if (!Number.isSafeInteger(version) || version < 1) return undefined;
  const strategy = readStrategy(decodeConfig(controller)?.spec.strategy);
  return {
    name: metadata.name,
    uid: metadata.uid ?? '',
    version,
    phase: readPhase(written[configAnnotations.phase]),
    strategy,
    createdAtMs: Date.parse(metadata.creationTimestamp ?? ''),
    desired: spec?.replicas ?? 1,
    replicas: status?.replicas ?? 0,
    ready: status?.readyReplicas ?? 0,
    available: status?.availableReplicas ?? 0,
    statusIsCurrent: (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0),
    isCancelled: written[configAnnotations.cancelled] === 'true',
    isRetried: written[configAnnotations.retry] !== undefined,
    beingDeleted: metadata.deletionTimestamp !== undefined,
    ...defined({
      statusReason: written[configAnnotations.statusReason],
      failure: readFailure(controller),
      canary: strategy.type === 'Canary' ? readCanaryNotes(controller) : undefined,
      steppedAtMs: readTime(written[configAnnotations.steppedAt]),
      deployer,
      startedAtMs: readTime(written[configAnnotations.startedAt]),
      hooks: readHookSummaries(controller, decodeConfig(controller)?.spec.strategy),
    }),
  };
}

/** One that OpenShift has made and not begun has no phase yet. */
export function readPhase(written: string | undefined): VersionPhase {
  return versionPhases.find((phase) => phase === written) ?? 'New';
}

export function readStrategy(strategy: DeploymentStrategy | undefined): VersionStrategy {
  if (strategy?.type === 'Recreate') {
    const { timeoutSeconds = usualTimeoutSeconds } = strategy.recreateParams ?? {};
    return { type: 'Recreate', timeoutSeconds, ...readLimit(strategy) };
  }
  if (strategy?.type === 'Canary') {
    const { timeoutSeconds = usualTimeoutSeconds } = strategy.canaryParams ?? {};
    return { type: 'Canary', timeoutSeconds, stages: readCanaryStages(strategy.canaryParams) };
  }
  if (strategy?.type === 'Custom') {
    return {
      type: 'Custom',
      timeoutSeconds: usualTimeoutSeconds,
      activeDeadlineSeconds: strategy.activeDeadlineSeconds ?? usualDeadlineSeconds,
    };
  }
  // A snapshot may be of a later worker, or of nobody who knows the types.
  const name: string = strategy?.type ?? '';
  if (name !== 'Rolling' && name !== '') {
    return { type: 'Unknown', name, timeoutSeconds: usualTimeoutSeconds };
  }
  return { ...readRolling(strategy?.rollingParams ?? {}), ...readLimit(strategy) };
}

/** OpenShift's default is a bound for its pods, and would end what is paused over night. */
function readLimit(strategy: DeploymentStrategy | undefined): { readonly limitSeconds?: number } {
  const limitSeconds = strategy?.activeDeadlineSeconds;
  return limitSeconds === usualDeadlineSeconds ? {} : defined({ limitSeconds });
}

function readRolling(params: RollingParams): Extract<VersionStrategy, { type: 'Rolling' }> {
  return {
    type: 'Rolling',
    timeoutSeconds: params.timeoutSeconds ?? usualTimeoutSeconds,
    ...readMargins(params.maxSurge ?? undefined, params.maxUnavailable ?? undefined),
    ...defined({ updatePeriodSeconds: params.updatePeriodSeconds }),
  };
}

/** As OpenShift fills them in: a quarter each, or in place of the one that is left out beside a 0. */
function readMargins(
  maxSurge: IntOrPercent | undefined,
  maxUnavailable: IntOrPercent | undefined,
): { readonly maxSurge: IntOrPercent; readonly maxUnavailable: IntOrPercent } {
  const areBothOpen = maxSurge === undefined && maxUnavailable === undefined;
  const standIn = (other: IntOrPercent | undefined): IntOrPercent =>
    areBothOpen || isNothing(other) ? usualMargin : 0;
  return {
    maxSurge: maxSurge ?? standIn(maxUnavailable),
    maxUnavailable: maxUnavailable ?? standIn(maxSurge),
  };
}

const isNothing = (margin: IntOrPercent | undefined): boolean =>
  margin !== undefined && Number.parseInt(String(margin)) === 0;

function readFailure({ status }: ReplicationController): ControllerSummary['failure'] {
  const condition = status?.conditions?.find(
    ({ type, status: holds }) => type === 'ReplicaFailure' && holds === 'True',
  );
  if (condition === undefined) return undefined;
  return { reason: condition.reason ?? 'FailedCreate', message: condition.message ?? '' };
}
