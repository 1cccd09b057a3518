import type { Progress } from '../../client/terminal/progress.js';
import type { Layout } from './layout.js';
import type { PartName } from './parts.js';
import type { StackSettings, StackState } from './state.js';

/** One run of `up`: what it works on, and what it has done so far. */
export interface Session {
  readonly layout: Layout;
  readonly settings: StackSettings;
  readonly state: StackState;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Parts that this run has started, which it stops again when it can't go on. */
  readonly started: Set<PartName>;
}
