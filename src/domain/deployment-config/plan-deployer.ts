import { describeDelay, describeEnd, type RunOncePod } from '../shared/run-once-pod.js';
import type { ControllerSummary, VersionObservation } from './observation.js';
import type { VersionAction } from './plan.js';

/** Example: web-2 -> web-2-deploy */
export const deployerName = (controller: string): string => `${controller}-deploy`;

type Custom = Extract<ControllerSummary['strategy'], { type: 'Custom' }>;

/** When a deployer that is still at it counts as failed: it has less time to start than to finish. */
export function deployerDeadlineMs({ strategy, deployer }: ControllerSummary): number | undefined {
  if (strategy.type !== 'Custom' || deployer === undefined) return undefined;
  // One that ended by being deleted may have been deleted because its time was up.
  if (deployer.hasEnded && !deployer.isBeingDeleted) return undefined;
  const { createdAtMs, startedAtMs = createdAtMs } = deployer;
  return deployer.state === 'Pending'
    ? createdAtMs + startLimitSeconds(strategy) * 1_000
    : startedAtMs + strategy.activeDeadlineSeconds * 1_000;
}

const startLimitSeconds = ({ timeoutSeconds, activeDeadlineSeconds }: Custom): number =>
  Math.min(timeoutSeconds, activeDeadlineSeconds);

/** What is wrong with the pod that carries out a version, if anything is. */
export function findDeployerObstacle(
  { observedAtMs }: VersionObservation,
  own: ControllerSummary,
): string | undefined {
  const { strategy, deployer, phase } = own;
  if (strategy.type !== 'Custom') return undefined;
  const name = `deployer pod ${deployerName(own.name)}`;
  if (deployer === undefined) return phase === 'New' ? undefined : `${name} is gone`;
  if (!deployer.isOwn) {
    // One that is on its way out is waited for.
    const isGoing = deployer.isLeftover === true || deployer.isBeingDeleted;
    return isGoing ? undefined : `${name} is there already and is not of this deployment`;
  }
  const deadlineMs = deployerDeadlineMs(own);
  if (deadlineMs !== undefined && observedAtMs >= deadlineMs) {
    return deployer.state === 'Pending'
      ? `${name} did not start within ${startLimitSeconds(strategy)} s${describeDelay(deployer)}`
      : `${name} took longer than ${strategy.activeDeadlineSeconds} s`;
  }
  const hasFailed = deployer.state === 'Failed' || (deployer.hasEnded && !hasSucceeded(deployer));
  return hasFailed ? `${name} ${describeEnd(deployer)}` : undefined;
}

export const hasSucceeded = (deployer: RunOncePod | undefined): boolean =>
  deployer?.state === 'Succeeded';

/**
 * What has to be done before a version can be given up: a deployer that still runs would go on scaling.
 * Undefined once nothing of it runs.
 */
export function planDeployerEnd({
  deployer,
}: ControllerSummary): readonly VersionAction[] | undefined {
  if (deployer === undefined || !deployer.isOwn || deployer.hasEnded) return undefined;
  const { name, uid, isBeingDeleted } = deployer;
  return isBeingDeleted ? [] : [{ kind: 'deletePod', name, uid }];
}

/** Lets go of deployers whose versions are over; undefined once there is none left to wait for. */
export function planReleases(
  controllers: readonly ControllerSummary[],
): readonly VersionAction[] | undefined {
  const held = controllers.flatMap(({ deployer }) =>
    deployer?.isOwn === true && deployer.isHeld ? [deployer] : [],
  );
  if (held.length === 0) return undefined;
  return held.flatMap(({ name, uid, hasEnded, isBeingDeleted }): readonly VersionAction[] => {
    if (hasEnded) return [{ kind: 'releasePod', name, uid }];
    return isBeingDeleted ? [] : [{ kind: 'deletePod', name, uid }];
  });
}

/** A version is tried again with a pod of its own: that of the last time goes first. */
export function planDeployerReplacement({
  deployer,
}: ControllerSummary): readonly VersionAction[] | undefined {
  if (deployer?.isOwn !== true) return undefined;
  const { name, uid, isBeingDeleted, isHeld, hasEnded } = deployer;
  return [
    ...(isHeld && hasEnded ? [{ kind: 'releasePod', name, uid } as const] : []),
    ...(isBeingDeleted ? [] : [{ kind: 'deletePod', name, uid } as const]),
  ];
}
