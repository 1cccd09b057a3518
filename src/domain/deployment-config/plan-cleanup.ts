import { findLastingHook, findRunningHook } from '../shared/judge-hook.js';
import type { ConfigSummary, ControllerSummary } from './observation.js';
import type { VersionAction } from './plan.js';

/**
 * The old versions that `revisionHistoryLimit` leaves no place for: empty ones only, oldest first. The
 * latest is none of them, even if it has failed: it would be made again. Nor is one whose hook still runs, or
 * has done since the version that serves what nothing has undone: whoever goes back has to know of it.
 */
export function planCleanup(
  { revisionHistoryLimit, latestVersion }: ConfigSummary,
  old: readonly ControllerSummary[],
  serving: ControllerSummary | undefined,
): readonly VersionAction[] {
  if (revisionHistoryLimit === undefined) return [];
  const isNeeded = (controller: ControllerSummary): boolean =>
    findRunningHook(controller) !== undefined ||
    (controller.version > (serving?.version ?? 0) && findLastingHook(controller) !== undefined);
  const kept = old.filter(({ beingDeleted, version }) => !beingDeleted && version < latestVersion);
  return kept
    .toSorted((a, b) => a.version - b.version)
    .slice(0, Math.max(0, kept.length - revisionHistoryLimit))
    .filter(({ desired, replicas, statusIsCurrent }) => desired + replicas === 0 && statusIsCurrent)
    .filter((controller) => !isNeeded(controller))
    .map(({ name, uid }) => ({ kind: 'deleteController', name, uid }));
}
