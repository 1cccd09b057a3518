import type { Tree } from './tree/tree.js';

/** What was refused has changed nothing. */
export type FollowEnd = 'complete' | 'failed' | 'cancelled' | 'refused';

/** What one kind has to say while it is followed, and when it is at its end. */
export interface Follower<T extends Tree = Tree> {
  /** Takes note of how it stands now; undefined while it goes on. */
  readonly judge: (tree: T | undefined) => FollowEnd | undefined;
  /** Whether an end that was seen may be overturned in the same breath. */
  readonly mayTurn: (tree: T) => boolean;
  /** What to say when nobody seems to look at the change; undefined when somebody does. */
  readonly explainSilence: (tree: T) => string | undefined;
  readonly describeProgress: (ref: string, tree: T) => string;
  readonly describeEnd: (ref: string, tree: T | undefined, tookMs: number) => string;
  /** What its pods complain about, where that was seen on the way; else the caller asks them. */
  readonly listTroubles?: () => readonly string[];
}

/** Each follower is only ever shown trees of its own kind. */
export const forAnyTree = <T extends Tree>(follower: Follower<T>): Follower =>
  follower as unknown as Follower;

export const nobodyLooks =
  'no controller has seen the change yet; is a worker running? "slipway worker" starts one';
