import type { HookRef } from '../../contracts/hook.js';
import { hookRecheckMs, isSameTurn, type HookTurn } from '../../domain/shared/hook.js';
import { startHook } from './start-hook.js';

/** Sees to it that the hook whose turn it is has a run. */
export class HookStarter {
  /** The hook whose run was last started, or was there already. */
  started?: HookTurn;
  /** When to see that again, while the run that was there has not told of this turn. */
  private recheckAtMs?: number;

  constructor(private readonly startRun: (ref: HookRef) => Promise<boolean> = startHook) {}

  async start(turn: HookTurn, ref: HookRef): Promise<void> {
    const isSame = isSameTurn(turn, this.started);
    if (!isSame || turn.hasBegun) delete this.recheckAtMs;
    if (isSame) return;
    const isNew = await this.startRun(ref);
    this.started = turn;
    // One that was there may be of what was deleted and made anew since, and end with that.
    if (!isNew && !turn.hasBegun) this.recheckAtMs = Date.now() + hookRecheckMs;
  }

  /** Somebody may have terminated its run: it is started again, if it is not there. */
  forget(): void {
    delete this.started;
    delete this.recheckAtMs;
  }

  /** That look, taken again in time. */
  limit<Look extends { readonly untilMs?: number }>(look: Look): Look {
    if (this.recheckAtMs === undefined) return look;
    return { ...look, untilMs: Math.min(look.untilMs ?? Infinity, this.recheckAtMs) };
  }
}
