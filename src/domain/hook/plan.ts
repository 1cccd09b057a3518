import type { HookPhase } from '../shared/hook.js';
import type { Next } from '../shared/next.js';
import type { EndedTry, HookRecord } from './observation.js';

export type HookRunPhase = HookPhase | 'Retrying' | 'Deleted';

export type HookAction =
  | { readonly kind: 'createTry'; readonly number: number; readonly pod: string }
  | { readonly kind: 'deletePod'; readonly name: string; readonly uid: string }
  /** Lets a pod go whose end has been noted. */
  | { readonly kind: 'releasePod'; readonly name: string; readonly uid: string }
  /** Keeps with the deployment how far the hook is. */
  | { readonly kind: 'note'; readonly record: HookRecord }
  | {
      readonly kind: 'announce';
      readonly type: 'Normal' | 'Warning';
      readonly reason: string;
      readonly note: string;
    };

export interface HookPlan {
  readonly phase: HookRunPhase;
  readonly summary: string;
  /** How the last few tries ended, for whoever reads the history. */
  readonly tries?: readonly EndedTry[];
  readonly actions: readonly HookAction[];
  readonly next: Next;
}

export const hasWrites = ({ actions }: HookPlan): boolean => actions.length > 0;

export const isSettled = (plan: HookPlan): boolean => !hasWrites(plan) && plan.next.kind === 'end';

/** What is noted comes first: no pod is let go, and no other made, before its end is kept. */
export function toHookStages(actions: readonly HookAction[]): readonly (readonly HookAction[])[] {
  const isNote = ({ kind }: HookAction): boolean => kind === 'note';
  const stages = [actions.filter(isNote), actions.filter((action) => !isNote(action))];
  return stages.filter((stage) => stage.length > 0);
}
