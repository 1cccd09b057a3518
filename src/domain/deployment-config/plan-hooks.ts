import { toHookTurn, type HookMoment, type HookSummary } from '../shared/hook.js';
import { moveOn, summarise } from './build-plan.js';
import { findRunningHook, judgeHook } from '../shared/judge-hook.js';
import type { ControllerSummary, VersionObservation } from './observation.js';
import { planDeployerEnd } from './plan-deployer.js';
import type { VersionPlan } from './plan.js';

/** What a hook calls for before the version may go on; undefined when nothing does. */
export function planHookTurn(
  seen: VersionObservation,
  own: ControllerSummary,
  moment: HookMoment,
): VersionPlan | undefined {
  const verdict = judgeHook(own, moment);
  if (verdict.kind === 'failed') return giveUp(seen, own, verdict.reason);
  if (verdict.kind === 'passed') return undefined;
  // One that runs is waited for even then.
  const isHeldBack = seen.config.paused && verdict.hook.phase === undefined;
  return isHeldBack ? summarise(seen, own, []) : runHook(seen, own, verdict.hook);
}

/** A version fails when nothing acts in its name any more. */
export function giveUp(
  seen: VersionObservation,
  own: ControllerSummary,
  reason: string,
): VersionPlan {
  const first = planDeployerEnd(own);
  if (first !== undefined) return summarise(seen, own, first);
  const running = findRunningHook(own);
  if (running !== undefined) return runHook(seen, own, running);
  return moveOn(seen, own, 'Failed', reason);
}

/** The hook has a run of its own; what it keeps with the version tells when to go on. */
const runHook = (
  seen: VersionObservation,
  own: ControllerSummary,
  hook: HookSummary,
): VersionPlan => ({ ...summarise(seen, own, []), hook: toHookTurn(hook) });
