import { defined } from '../shared/optional.js';
import { announce } from './announce.js';
import { moveOn, planStatus, summarise } from './build-plan.js';
import { cancelReasons } from './cancel-reasons.js';
import { findObstacle } from './find-obstacle.js';
import { isFinished, isRolledOut } from './is-finished.js';
import {
  isLatest,
  isOver,
  type ControllerSummary,
  type VersionObservation,
} from './observation.js';
import { planCanary } from './plan-canary.js';
import { deployerName, planDeployerReplacement } from './plan-deployer.js';
import { giveUp, planHookTurn } from './plan-hooks.js';
import { planRegions } from './plan-regions.js';
import { areOthersGone, planStrategyStep, regionsTarget } from './plan-sizes.js';
import { isRevertDue, planUpkeep } from './plan-upkeep.js';
import type { VersionAction, VersionPlan } from './plan.js';

/**
 * The next step of one version of a DeploymentConfig, from what was observed. The same observation always
 * gives the same plan, and a plan carried out twice changes nothing the second time. Only the latest
 * version moves pods; one that was overtaken says so and ends.
 */
export function planVersion(seen: VersionObservation, refusal?: string): VersionPlan {
  const { config, controllers, version } = seen;
  if (config.beingDeleted) return planFarewell();
  const own = controllers.find((controller) => controller.version === version);
  const others = controllers.filter((controller) => controller.version !== version);
  if (own === undefined) {
    return refusal === undefined ? planBeginning(seen, others) : planRefusal(seen, refusal);
  }
  if (own.phase === 'Failed' && own.isRetried && isLatest(seen)) {
    return planRetry(seen, own, others);
  }
  if (isOver(own.phase)) return planUpkeep(seen, own, others);
  const obstacle = refusal ?? findObstacle(seen, own, others);
  if (obstacle !== undefined) return giveUp(seen, own, obstacle);
  switch (own.phase) {
    case 'New':
      return planStart(seen, own, others);
    case 'Pending':
      return own.deployer?.state === 'Pending'
        ? summarise(seen, own, [])
        : moveOn(seen, own, 'Running');
    default:
      return planRollout(seen, own, others);
  }
}

/** What reverts the version comes to its end first: it would be reverting what is tried again. */
function planRetry(
  seen: VersionObservation,
  own: ControllerSummary,
  others: readonly ControllerSummary[],
): VersionPlan {
  if (isRevertDue(own)) return planUpkeep(seen, own, others);
  const first = planDeployerReplacement(own);
  return first === undefined ? moveOn(seen, own, 'New') : summarise(seen, own, first);
}

function planFarewell(): VersionPlan {
  return {
    phase: 'Deleted',
    summary: 'The DeploymentConfig is being deleted: nothing is left to do.',
    actions: [],
    next: { kind: 'end' },
  };
}

/** A version that somebody asks for is waited for until it is made. */
function planAnticipation({ version, config }: VersionObservation): VersionPlan {
  if (config.requestedVersion !== version) {
    return { ...planFarewell(), summary: `Version ${version} has not been made.` };
  }
  return {
    phase: 'New',
    summary: `Version ${version} is asked for, and will be made as soon as its images are known.`,
    actions: [],
    next: { kind: 'wait' },
  };
}

const planRetreat = (version: number): VersionPlan => ({
  phase: 'New',
  summary: `Version ${version} is not made: the config goes back to an earlier one.`,
  actions: [],
  next: { kind: 'wait' },
});

/** A version begins when no other is under way. */
function planBeginning(
  seen: VersionObservation,
  others: readonly ControllerSummary[],
): VersionPlan {
  const { version, controllerName, config } = seen;
  if (version > config.latestVersion) return planAnticipation(seen);
  if (!isLatest(seen)) return { ...planFarewell(), summary: `Version ${version} is gone.` };
  // What stands in the config is another version's by now.
  if (config.isGoingBack === true) return planRetreat(version);
  const running = others.filter(({ phase }) => !isOver(phase));
  if (running.length > 0) return summarise(seen, undefined, planCancellations(running));
  return summarise(seen, undefined, [
    { kind: 'createController', name: controllerName, version },
    announce('DeploymentCreated', `Created new replication controller "${controllerName}"`),
  ]);
}

/** The apiserver won't have the version at all; it is tried again when the config changes, or later. */
function planRefusal(seen: VersionObservation, refusal: string): VersionPlan {
  const { version } = seen;
  return {
    phase: 'Failed',
    summary: `Version ${version} can't be made: ${refusal}`,
    actions: [],
    ...defined({ status: planStatus(seen, { isCancelled: false, refusal }) }),
    next: { kind: 'end' },
  };
}

function planStart(
  seen: VersionObservation,
  own: ControllerSummary,
  others: readonly ControllerSummary[],
): VersionPlan {
  const running = others.filter(({ phase }) => !isOver(phase));
  if (running.length > 0) return summarise(seen, own, planCancellations(running));
  const pre = planHookTurn(seen, own, 'pre');
  if (pre !== undefined) return pre;
  const isOccupied = own.deployer?.isOwn === false;
  if (seen.config.paused || isOccupied) return summarise(seen, own, []);
  if (own.strategy.type !== 'Custom' || own.deployer !== undefined) {
    return moveOn(seen, own, 'Pending');
  }
  const { name, uid } = own;
  return summarise(seen, own, [
    { kind: 'createDeployer', name, uid },
    announce('DeployerPodCreated', `Created deployer pod "${deployerName(name)}" for "${name}"`),
  ]);
}

const planCancellations = (running: readonly ControllerSummary[]): readonly VersionAction[] =>
  running
    .filter(({ isCancelled }) => !isCancelled)
    .map(({ name, uid }) => ({
      kind: 'cancelController',
      name,
      uid,
      reason: cancelReasons.newerFound,
    }));

function planRollout(
  seen: VersionObservation,
  own: ControllerSummary,
  others: readonly ControllerSummary[],
): VersionPlan {
  const turn = planCanary(seen, own, others);
  if (turn?.kind === 'fail') return moveOn(seen, own, 'Failed', turn.reason, turn.actions);
  if (turn !== undefined) return summarise(seen, own, turn.actions, 'wait', turn);
  // Before the end, which one without pods has come to already.
  const isBetween = own.strategy.type === 'Recreate' && areOthersGone(seen, others);
  const mid = isBetween ? planHookTurn(seen, own, 'mid') : undefined;
  if (mid !== undefined) return mid;
  if (isFinished(seen, own, others)) {
    return planHookTurn(seen, own, 'post') ?? moveOn(seen, own, 'Complete');
  }
  if (seen.config.paused) return summarise(seen, own, []);
  const steps = isRolledOut(seen, own, others)
    ? planRegions(seen.regions ?? [], regionsTarget(own)).actions
    : planStrategyStep(seen, own, others);
  return summarise(seen, own, steps);
}
