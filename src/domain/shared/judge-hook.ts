import { isHookOver, type HookMoment, type HookSummary } from './hook.js';

/** A version of a deployment, as far as its hooks go. */
interface WithHooks {
  readonly hooks?: readonly HookSummary[];
}

/** What a hook means for its version at the moment for which it was made. */
export type HookVerdict =
  /** There is none, it has succeeded, or its failure doesn't matter. */
  | { readonly kind: 'passed' }
  | { readonly kind: 'needed'; readonly hook: HookSummary }
  | { readonly kind: 'failed'; readonly reason: string };

export function judgeHook({ hooks = [] }: WithHooks, moment: HookMoment): HookVerdict {
  const hook = hooks.find((known) => known.moment === moment);
  if (hook === undefined || hook.phase === 'Succeeded') return { kind: 'passed' };
  if (!isHookOver(hook)) return { kind: 'needed', hook };
  if (!hook.isMandatory) return { kind: 'passed' };
  return { kind: 'failed', reason: `the ${moment} hook failed: ${hook.reason ?? ''}` };
}

/** A hook that has begun and is not over: a version that is given up waits for its end. */
export const findRunningHook = ({ hooks = [] }: WithHooks): HookSummary | undefined =>
  hooks.find((hook) => hook.phase !== undefined && !isHookOver(hook));

/** A hook that reverts, while it is at it: no other may change the same things then. */
export const findRunningRevert = ({ hooks = [] }: WithHooks): HookSummary | undefined =>
  findRunningHook({ hooks: hooks.filter(({ moment }) => moment === 'abort') });

/** Whether anything may have come of a hook: one that failed before its first try has done nothing. */
export const hasActed = ({ phase, ended }: HookSummary): boolean =>
  phase !== undefined && (phase !== 'Failed' || ended > 0);

/** A hook whose doing stays: it has succeeded, and no abort hook has undone that. */
export function findLastingHook({ hooks = [] }: WithHooks): HookSummary | undefined {
  const isUndone = hooks.some(({ moment, phase }) => moment === 'abort' && phase === 'Succeeded');
  if (isUndone) return undefined;
  return hooks.find(({ moment, phase }) => moment !== 'abort' && phase === 'Succeeded');
}
