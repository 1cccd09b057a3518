import { planRollingStep } from '../shared/plan-rolling-step.js';
import type { Strategy } from '../shared/strategy.js';
import type { ControllerSummary, VersionObservation, VersionStrategy } from './observation.js';
import type { RegionsTarget } from './plan-regions.js';
import type { VersionAction } from './plan.js';

/** How many pods the version in charge is to have. */
export const targetOf = ({ config }: VersionObservation): number => config.replicas;

/** The next safe sizes on the way to a version, by its own strategy. */
export function planStrategyStep(
  seen: VersionObservation,
  own: ControllerSummary,
  others: readonly ControllerSummary[],
): readonly VersionAction[] {
  // Its deployer does it.
  if (own.strategy.type === 'Custom') return [];
  const isFirst = others.every(({ desired, replicas }) => desired === 0 && replicas === 0);
  if (own.strategy.type === 'Recreate') return planRecreate(seen, own, others);
  // With nothing to replace there is nothing to be careful of.
  if (isFirst) return scaleTo(own, targetOf(seen));
  return atItsPace(seen, own, planShift(seen, own, others));
}

/** When the next step may be taken, where the strategy asks for time between them. */
export function stepDueMs(
  { config }: VersionObservation,
  { strategy, steppedAtMs, phase }: ControllerSummary,
): number | undefined {
  if (strategy.type !== 'Rolling' || phase !== 'Running' || config.paused) return undefined;
  const { updatePeriodSeconds = 0 } = strategy;
  if (updatePeriodSeconds === 0 || steppedAtMs === undefined) return undefined;
  return steppedAtMs + updatePeriodSeconds * 1_000;
}

function atItsPace(
  seen: VersionObservation,
  own: ControllerSummary,
  actions: readonly VersionAction[],
): readonly VersionAction[] {
  const { name, uid, strategy } = own;
  if (strategy.type !== 'Rolling' || (strategy.updatePeriodSeconds ?? 0) === 0) return actions;
  const dueMs = stepDueMs(seen, own);
  if (actions.length === 0 || (dueMs !== undefined && seen.observedAtMs < dueMs)) return [];
  return [...actions, { kind: 'noteStep', name, uid }];
}

/** Moves pods to one version from all others, with never too few of them available. */
export function planShift(
  seen: VersionObservation,
  own: ControllerSummary,
  others: readonly ControllerSummary[],
): readonly VersionAction[] {
  const sized = { replicas: targetOf(seen), strategy: toMargins(own.strategy) };
  const { newSize, shrinks } = planRollingStep(sized, own, others);
  // What was shrunk grows again only when its counts have caught up, or they would vouch for pods to come.
  const grows = newSize > own.desired && own.replicas > own.desired;
  return [
    ...shrinks.flatMap(({ set, to }) => scaleTo(set, to)),
    ...(grows ? [] : scaleTo(own, newSize)),
  ];
}

/** Whether the last pod of any other version is really gone. */
export const areOthersGone = (
  { oldPods = 0 }: VersionObservation,
  others: readonly ControllerSummary[],
): boolean =>
  oldPods === 0 &&
  others.every(
    ({ desired, replicas, statusIsCurrent }) => desired === 0 && replicas === 0 && statusIsCurrent,
  );

/**
 * All old pods go first, and only when the last is really gone does a new one come: one alone, which
 * shows whether the version can run, and then the rest.
 */
function planRecreate(
  seen: VersionObservation,
  own: ControllerSummary,
  others: readonly ControllerSummary[],
): readonly VersionAction[] {
  const active = others.filter(({ desired }) => desired > 0);
  if (active.length > 0) return active.flatMap((set) => scaleTo(set, 0));
  if (!areOthersGone(seen, others)) return [];
  const target = targetOf(seen);
  const isProven = own.desired > 0 && own.statusIsCurrent && own.available > 0;
  return scaleTo(own, isProven ? target : Math.min(target, Math.max(1, own.desired)));
}

/** A version that is over is left with no pods at all. */
export const planEmpty = (sets: readonly ControllerSummary[]): readonly VersionAction[] =>
  sets.flatMap((set) => scaleTo(set, 0));

function scaleTo(set: ControllerSummary, to: number): readonly VersionAction[] {
  const { name, uid, desired: from } = set;
  return from === to ? [] : [{ kind: 'scaleController', name, uid, from, to }];
}

/** What goes back after a Recreate goes back gently: it has no margins of its own. */
export function toMargins(strategy: VersionStrategy): Strategy {
  if (strategy.type !== 'Rolling') {
    return { type: 'RollingUpdate', maxSurge: '25%', maxUnavailable: '25%' };
  }
  const { maxSurge, maxUnavailable } = strategy;
  return { type: 'RollingUpdate', maxSurge, maxUnavailable };
}

/** Regions are moved in the way of the version that they are moved to. */
export const regionsTarget = ({ version, strategy }: ControllerSummary): RegionsTarget => ({
  version,
  strategy: strategy.type === 'Recreate' ? ({ type: 'Recreate' } as const) : toMargins(strategy),
});
