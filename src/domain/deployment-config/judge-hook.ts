import { isHookOver, type HookMoment, type HookSummary } from '../shared/hook.js';
import type { ControllerSummary } from './observation.js';

/** What a hook means for its version at the moment for which it was made. */
export type HookVerdict =
  /** There is none, it has succeeded, or its failure doesn't matter. */
  | { readonly kind: 'passed' }
  | { readonly kind: 'needed'; readonly hook: HookSummary }
  | { readonly kind: 'failed'; readonly reason: string };

export function judgeHook({ hooks = [] }: ControllerSummary, moment: HookMoment): HookVerdict {
  const hook = hooks.find((known) => known.moment === moment);
  if (hook === undefined || hook.phase === 'Succeeded') return { kind: 'passed' };
  if (!isHookOver(hook)) return { kind: 'needed', hook };
  if (!hook.isMandatory) return { kind: 'passed' };
  return { kind: 'failed', reason: `the ${moment} hook failed: ${hook.reason ?? ''}` };
}

/** A hook that has begun and is not over: a version that is given up waits for its end. */
export const findRunningHook = ({ hooks = [] }: ControllerSummary): HookSummary | undefined =>
  hooks.find((hook) => hook.phase !== undefined && !isHookOver(hook));
