import type { HookSummary } from '../shared/hook.js';
import { cancelReasons } from './cancel-reasons.js';
import { findLastingHook } from '../shared/judge-hook.js';
import type { ControllerSummary, VersionObservation } from './observation.js';
import { findRefusal } from './judge-version-end.js';
import { isRevertDue } from './plan-upkeep.js';

/** What a version that has failed leads to, where its config asks to go back on failure. */
export type FailureVerdict =
  /** Nothing, or nothing yet. */
  | { readonly kind: 'none' }
  | { readonly kind: 'rollBack'; readonly release: number; readonly notes: string }
  /** It stays where it is, and people should know why. */
  | { readonly kind: 'stay'; readonly reason: StayReason; readonly message: string };

export type StayReason = 'WasRollback' | 'NoCompleteVersion' | 'HookNotUndone';

const none: FailureVerdict = { kind: 'none' };

/** These ended a version because somebody wanted that. */
const wanted: readonly (string | undefined)[] = [
  cancelReasons.byUser,
  cancelReasons.newerFound,
  cancelReasons.oldWon,
];

/**
 * Whether the latest version, if it has failed by an error or by its time limit, leads to a rollback: once for
 * each version, and never from a rollback, so that it can't go round in circles. A hook that has succeeded may
 * have changed what no template brings back, such as a database; then only an abort hook that has succeeded, or
 * somebody who says so beforehand, lets it go back.
 */
export function judgeFailedVersion(
  seen: VersionObservation,
  { isRollback }: { readonly isRollback: boolean },
): FailureVerdict {
  const { config, controllers } = seen;
  const { latestVersion, rollsBackOnFailure, paused, rolledBackFrom, beingDeleted } = config;
  if (rollsBackOnFailure !== true || paused || beingDeleted) return none;
  const why = rolledBackFrom === latestVersion ? undefined : findFailure(seen);
  if (why === undefined) return none;
  const what = `version ${latestVersion} has failed: ${why}`;
  if (isRollback) {
    return stay(
      'WasRollback',
      `${what}; it was a rollback itself, and there is no other by itself`,
    );
  }
  const release = findLastComplete(controllers, latestVersion);
  if (release === undefined) {
    return stay('NoCompleteVersion', `${what}; no version before it was complete`);
  }
  const lasting = findNewestLasting(controllers, release);
  if (lasting !== undefined && config.rollsBackOverHooks !== true) {
    const whose = lasting.version === latestVersion ? 'its' : `version ${lasting.version}'s`;
    return stay(
      'HookNotUndone',
      `${what}; ${whose} ${lasting.hook.moment} hook has succeeded and no abort hook has undone that, so it is not rolled back to version ${release} by itself: see spec.rollbackOverHooks`,
    );
  }
  return { kind: 'rollBack', release, notes: what };
}

/** Why the latest version has failed, once nothing is left to be done about that. */
function findFailure(seen: VersionObservation): string | undefined {
  const { config, controllers } = seen;
  const failed = controllers.find(({ version }) => version === config.latestVersion);
  if (failed === undefined) return config.latestVersion === 0 ? undefined : findRefusal(seen);
  if (failed.phase !== 'Failed') return undefined;
  const { isCancelled, isRetried, statusReason } = failed;
  if (isCancelled || isRetried || wanted.includes(statusReason)) return undefined;
  // Its abort hook has a say, and would not run any more once another version has come.
  if (isRevertDue(failed)) return undefined;
  return statusReason ?? 'see its events';
}

const stay = (reason: StayReason, message: string): FailureVerdict => ({
  kind: 'stay',
  reason,
  message,
});

function findLastComplete(
  controllers: readonly ControllerSummary[],
  before: number,
): number | undefined {
  const versions = controllers
    .filter(
      ({ phase, version, beingDeleted }) =>
        phase === 'Complete' && version < before && !beingDeleted,
    )
    .map(({ version }) => version);
  return versions.length === 0 ? undefined : Math.max(...versions);
}

/**
 * A hook that has succeeded since a version and that no other has undone, the newest first: what an earlier
 * failure has left behind is there as well.
 */
function findNewestLasting(
  controllers: readonly ControllerSummary[],
  since: number,
): { readonly version: number; readonly hook: HookSummary } | undefined {
  const later = controllers.filter(({ version }) => version > since);
  for (const controller of later.toSorted((a, b) => b.version - a.version)) {
    const hook = findLastingHook(controller);
    if (hook !== undefined) return { version: controller.version, hook };
  }
  return undefined;
}
