import { toHookTurn } from '../shared/hook.js';
import { summarise } from './build-plan.js';
import { countPods, isMoving, restDeadlineMs } from './compute-status.js';
import { hasActed, judgeHook } from '../shared/judge-hook.js';
import { isLatest, type ControllerSummary, type VersionObservation } from './observation.js';
import { planCleanup } from './plan-cleanup.js';
import { planReleases } from './plan-deployer.js';
import { planRegions, type RegionsPlan } from './plan-regions.js';
import { planEmpty, planShift, regionsTarget, targetOf } from './plan-sizes.js';
import type { VersionPlan } from './plan.js';

/**
 * Keeps the sizes right when a version is over: all pods belong to the last one that was complete, which
 * is this one or, after a failure, an earlier one.
 */
export function planUpkeep(
  seen: VersionObservation,
  own: ControllerSummary,
  others: readonly ControllerSummary[],
): VersionPlan {
  if (!isLatest(seen)) {
    const releases = planReleases([own]);
    return summarise(seen, own, releases ?? [], releases === undefined ? 'end' : 'wait');
  }
  const all = [own, ...others];
  const serving = all
    .filter(({ phase }) => phase === 'Complete')
    .sort((a, b) => b.version - a.version)[0];
  const rest = all.filter((controller) => controller !== serving);
  const sizes =
    serving === undefined || seen.config.isTest ? planEmpty(all) : planShift(seen, serving, rest);
  const regions = planReturn(seen, serving);
  const releases = planReleases(all) ?? [];
  const cleanup = sizes.length === 0 ? planCleanup(seen.config, rest, serving) : [];
  const isLeft =
    (isAtRest(seen, serving, rest) && regions.moving === undefined) || isStuck(seen, own);
  const revert = isAborted(own) ? judgeHook(own, 'abort') : undefined;
  const isReverted = revert?.kind !== 'needed';
  const plan = summarise(
    seen,
    own,
    [...releases, ...sizes, ...regions.actions, ...cleanup],
    isLeft && releases.length === 0 && isReverted ? 'end' : 'wait',
  );
  return isReverted ? plan : { ...plan, hook: toHookTurn(revert.hook, own) };
}

/** Whether there is anything to revert: one that never began has changed nothing. */
export const isAborted = ({ phase, startedAtMs, hooks = [] }: ControllerSummary): boolean =>
  phase === 'Failed' && (startedAtMs !== undefined || hooks.some(hasActed));

/** Whether a version is still to be reverted, or is being. */
export const isRevertDue = (own: ControllerSummary): boolean =>
  isAborted(own) && judgeHook(own, 'abort').kind === 'needed';

/** Regions that a failed version has reached go back; those that it hasn't stay as they are. */
function planReturn(
  { regions = [], config }: VersionObservation,
  serving: ControllerSummary | undefined,
): RegionsPlan {
  if (serving === undefined || config.paused) return { actions: [] };
  const isNewer = (version: number | undefined): boolean =>
    version !== undefined && version > serving.version;
  const strayed = regions.filter(
    ({ version, heldSize, pods }) =>
      isNewer(version) ||
      pods.some((pod) => isNewer(pod.version)) ||
      (version === serving.version && heldSize !== undefined),
  );
  return planRegions(strayed, regionsTarget(serving));
}

/** What has not come back in the time that the strategy gives it is looked at again when it moves. */
function isStuck(seen: VersionObservation, own: ControllerSummary): boolean {
  return seen.observedAtMs >= restDeadlineMs(seen, own) && !isMoving(seen, countPods(seen));
}

function isAtRest(
  seen: VersionObservation,
  serving: ControllerSummary | undefined,
  rest: readonly ControllerSummary[],
): boolean {
  const isEmpty = (controller: ControllerSummary): boolean =>
    controller.desired === 0 && controller.replicas === 0;
  if (serving === undefined) return rest.every(isEmpty);
  const target = seen.config.isTest ? 0 : targetOf(seen);
  return serving.desired === target && serving.available === target && rest.every(isEmpty);
}
