import type { ConfigSummary, ControllerSummary } from './observation.js';
import type { VersionAction } from './plan.js';

/**
 * The old versions that `revisionHistoryLimit` leaves no place for: empty ones only, oldest first. The
 * latest is none of them, even if it has failed: it would be made again.
 */
export function planCleanup(
  { revisionHistoryLimit, latestVersion }: ConfigSummary,
  old: readonly ControllerSummary[],
): readonly VersionAction[] {
  if (revisionHistoryLimit === undefined) return [];
  const kept = old.filter(({ beingDeleted, version }) => !beingDeleted && version < latestVersion);
  return kept
    .toSorted((a, b) => a.version - b.version)
    .slice(0, Math.max(0, kept.length - revisionHistoryLimit))
    .filter(({ desired, replicas, statusIsCurrent }) => desired + replicas === 0 && statusIsCurrent)
    .map(({ name, uid }) => ({ kind: 'deleteController', name, uid }));
}
