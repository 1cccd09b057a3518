import { hookCheckMs, toHookTurn, type HookMoment, type HookTurn } from '../shared/hook.js';
import { moveOn, summarise } from './build-plan.js';
import { findRunningHook, findRunningRevert, judgeHook } from '../shared/judge-hook.js';
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
  const { hook } = verdict;
  // One that runs is waited for even then.
  if (hook.phase !== undefined) return runHook(seen, own, toHookTurn(hook, own));
  const revert = findRevertOfOther(seen, own);
  if (revert !== undefined) return runHook(seen, own, revert);
  return seen.config.paused ? summarise(seen, own, []) : runHook(seen, own, toHookTurn(hook, own));
}

/** What reverts an earlier version comes first: two migrations at once would be worse than a wait. */
function findRevertOfOther(
  { controllers }: VersionObservation,
  own: ControllerSummary,
): HookTurn | undefined {
  for (const other of controllers) {
    const hook = other.version === own.version ? undefined : findRunningRevert(other);
    if (hook !== undefined) return { ...toHookTurn(hook, other), version: other.version };
  }
  return undefined;
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
  if (running !== undefined) return runHook(seen, own, toHookTurn(running, own));
  return moveOn(seen, own, 'Failed', reason);
}

/** The hook has a run of its own; what it keeps with its version tells when to go on. */
const runHook = (
  seen: VersionObservation,
  own: ControllerSummary,
  hook: HookTurn,
): VersionPlan => ({
  ...summarise(seen, own, []),
  hook,
  next: { kind: 'wait', untilMs: seen.observedAtMs + hookCheckMs },
});
