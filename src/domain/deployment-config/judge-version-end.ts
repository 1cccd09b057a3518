import { findCondition } from '../shared/conditions.js';
import { cancelReasons } from './cancel-reasons.js';
import type { ControllerSummary, VersionObservation } from './observation.js';

/** What has become of a version, for whoever waits for it and does nothing about it. */
export type VersionEnd =
  /** It was asked for, and is not there yet. */
  | { readonly kind: 'awaited' }
  | { readonly kind: 'underWay' }
  | { readonly kind: 'complete' }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** Somebody has cancelled it. */
      readonly isCancelled?: true;
    };

export function judgeVersionEnd(seen: VersionObservation): VersionEnd {
  const { config, controllers, version } = seen;
  const own = controllers.find((controller) => controller.version === version);
  if (own?.phase === 'Complete') return { kind: 'complete' };
  if (own?.phase === 'Failed') {
    const end = fail(own.statusReason ?? 'see its events');
    return isCancel(own) ? { ...end, isCancelled: true } : end;
  }
  if (config.beingDeleted) return fail('the DeploymentConfig is being deleted');
  if (own !== undefined) return { kind: 'underWay' };
  if (version < config.latestVersion) {
    return fail(`version ${config.latestVersion} has taken its place`);
  }
  if (version > config.latestVersion) {
    if (config.requestedVersion === version) return { kind: 'awaited' };
    return fail('somebody has taken the wish for it away');
  }
  const refusal = findRefusal(seen);
  return refusal === undefined ? { kind: 'awaited' } : fail(refusal);
}

const fail = (reason: string) => ({ kind: 'failed', reason }) as const;

/** One that is overtaken is marked as cancelled, too, and nobody has cancelled it. */
const isCancel = ({ isCancelled, statusReason }: ControllerSummary): boolean =>
  isCancelled && statusReason !== cancelReasons.newerFound;

/** Why the apiserver won't have the version, where that was found of the config as it is. */
export function findRefusal({ config }: VersionObservation): string | undefined {
  const { conditions, observedGeneration } = config.status;
  const progressing = findCondition(conditions, 'Progressing');
  const isRefused =
    progressing?.reason === 'ReplicationControllerCreateError' &&
    observedGeneration >= config.generation;
  return isRefused ? (progressing.message ?? 'it could not be made') : undefined;
}
