import type { HookTurn } from '../shared/hook.js';

/** Whether hooks let a rollout go on. */
export type Gate =
  | { readonly kind: 'open' }
  | {
      readonly kind: 'held';
      /** Which hook is waited for; absent while one has to be made ready to run again. */
      readonly turn?: HookTurn;
      /** No pod moves before it has ended, or all have moved and only the end has to wait. */
      readonly holds: 'pods' | 'end';
    }
  | { readonly kind: 'failed'; readonly reason: string };

/** Example: the pre hook of web-5d89f7 */
export function describeGate(gate: Gate): string {
  if (gate.kind === 'failed') return gate.reason;
  if (gate.kind === 'open' || gate.turn === undefined) return 'its hooks';
  return `the ${gate.turn.moment} hook of ${gate.turn.set ?? ''}`;
}
