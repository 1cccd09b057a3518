import type { Author } from './author.js';
import { defined } from './optional.js';
import type { Revision } from './revision.js';

/** How the rollout of a revision can end. */
export const ends = ['Complete', 'Failed', 'RolledBack', 'Overtaken', 'Cancelled'] as const;

export type End = (typeof ends)[number];

/**
 * One time that a revision was the one in force, from the beginning of its rollout. A template that is
 * gone back to has another stay, under another number.
 */
export interface Stay extends Author {
  readonly revision: Revision;
  readonly startedAt: string;
  /** What started it. */
  readonly triggers: readonly string[];
  /** The revision that was in force before. */
  readonly from?: Revision;
  /** The images of that one, where they were others. */
  readonly was?: readonly string[];
  /** The number that the same template had before, when it was gone back to. */
  readonly backTo?: Revision;
  /** Of a stay that was followed by another of the same template: the change-cause that it had. */
  readonly cause?: string;
  /** Absent while its rollout goes on. */
  readonly end?: End;
  readonly endedAt?: string;
  /** Why it ended so; of one that is complete, what had stood in its way. */
  readonly endReason?: string;
  readonly endedBy?: string;
}

/** What becomes of a stay. */
export type StayNews =
  | {
      readonly kind: 'ended';
      readonly end: End;
      readonly at: string;
      readonly reason?: string;
      readonly by?: string;
    }
  /** It had ended, and was taken up again. */
  | { readonly kind: 'goesOn' };

/** A ReplicaSet that is gone back to again and again keeps the latest of its stays. */
const mostStays = 10;
/** All annotations of an object together have 256 KiB. */
const longestText = 400;

/**
 * Begins a stay; one that is there already under its number is the same, written twice. The change-cause
 * is one for all stays of a template, so what it was up to now is kept with the last.
 */
export function beginStay(
  stays: readonly Stay[],
  stay: Stay,
  causeBefore?: string,
): readonly Stay[] {
  const others = stays.filter(({ revision }) => revision !== stay.revision);
  const last = others.pop();
  const before = last === undefined ? [] : [clip({ ...defined({ cause: causeBefore }), ...last })];
  return [...others, ...before, clip(stay)].slice(-mostStays);
}

/** Notes what became of the stay of that revision. */
export function tellStay(
  stays: readonly Stay[],
  revision: Revision,
  news: StayNews,
): readonly Stay[] {
  return stays.map((stay) => (stay.revision === revision ? clip(change(stay, news)) : stay));
}

function change({ end, endedAt: _at, endedBy: _by, ...stay }: Stay, news: StayNews): Stay {
  if (news.kind === 'goesOn') {
    if (end === undefined) return stay;
    const why = stay.endReason === undefined ? '' : `: ${stay.endReason}`;
    return { ...stay, endReason: `${pasts[end]} before${why}` };
  }
  const reason = news.reason ?? stay.endReason;
  return {
    ...stay,
    end: news.end,
    endedAt: news.at,
    ...defined({ endReason: reason, endedBy: news.by }),
  };
}

const pasts: Readonly<Record<End, string>> = {
  Complete: 'it had been complete',
  Failed: 'it had failed',
  RolledBack: 'it had been rolled back',
  Overtaken: 'it had been overtaken',
  Cancelled: 'it had been cancelled',
};

function clip(stay: Stay): Stay {
  const cut = (text: string | undefined): string | undefined =>
    text === undefined || text.length <= longestText ? text : `${text.slice(0, longestText - 1)}…`;
  const { by, manager, reason, cause, endReason, endedBy } = stay;
  return {
    ...stay,
    ...defined({
      by: cut(by),
      manager: cut(manager),
      reason: cut(reason),
      cause: cut(cause),
      endReason: cut(endReason),
      endedBy: cut(endedBy),
    }),
  };
}
