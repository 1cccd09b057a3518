import { canonicalJson } from '../shared/canonical-json.js';
import { toTimestamp } from '../shared/conditions.js';
import type { ImageRepositoryWish } from './judge-image-repository.js';
import type { Parsed } from './parse-image.js';
import {
  planNextCheckMs,
  type ImageRepositoryStatus,
  type TagAnswer,
  type TagStatus,
} from './plan-image-repository.js';

/** That somebody pushed something, as it is written on a repository. */
export interface PushMark {
  readonly text: string;
  /** Absent when it can't be read. */
  readonly tag?: string;
  /** What the tag is said to stand for. Only the registry can tell; that it tells otherwise may be too early. */
  readonly digest?: string;
  readonly atMs?: number;
}

/** A registry may tell of a push a moment before the tag stands for it: then it is asked a few times more. */
export interface Doubt {
  /** The mark of the push. */
  readonly push: string;
  /** How often the registry did not know of it. */
  readonly looks: number;
  /** When to ask again. */
  readonly atMs: number;
}

/** What is remembered of the checks of a repository beyond what its status says. */
export interface CheckMemory {
  /** What the registry was last asked for in whole; undefined when that is to be done again. */
  readonly wish: string | undefined;
  /** The mark of a push that was last followed. */
  readonly push: string | undefined;
  /** While the registry does not yet say what that mark says. */
  readonly doubt?: Doubt | undefined;
  /** Newer than that of the status, which is not written each time. */
  readonly lastCheckedMs?: number;
  /** Since when checks are planned here: what is overdue is spread out from then on. */
  readonly sinceMs: number;
  /** From 0 to 1: how far the next check is put off, so that many don't come in one moment. */
  readonly spread: number;
}

export interface CheckObservation {
  readonly wish: Parsed<ImageRepositoryWish>;
  readonly generation: number;
  readonly status: ImageRepositoryStatus;
  readonly push?: PushMark | undefined;
}

/** `tag` is a tag that was just pushed: it is asked for before anything else. */
export type Check =
  | { readonly kind: 'none' }
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'all'; readonly atMs: number };

/** Six times within 16 s. */
const firstDoubtMs = 250;
const mostLooks = 6;
const spreadShare = 0.1;
const longestSpreadMs = 30_000;
/** Who looks at the status wants to see that the registry is asked, but not each time. */
const noteCheckMs = 60_000;

/** What is to be asked for next, and when. */
export function planCheck(seen: CheckObservation, memory: CheckMemory, nowMs: number): Check {
  const { wish, status, push } = seen;
  const tags = wish.kind === 'valid' ? wish.value.tags : [];
  if (push !== undefined && push.text !== memory.push && tags.length > 0) {
    const { tag } = push;
    // A mark overwrites the one before: where it is of no interest, that one may have been.
    return tag !== undefined && tags.includes(tag)
      ? { kind: 'tag', tag }
      : { kind: 'all', atMs: nowMs };
  }
  if (describeWish(seen) !== memory.wish) return { kind: 'all', atMs: nowMs };
  if (wish.kind === 'invalid') return { kind: 'none' };
  const nextMs = planNextMs(wish.value, recallStatus(status, memory), memory, nowMs);
  if (nextMs === undefined) return { kind: 'none' };
  return { kind: 'all', atMs: Math.min(nextMs, memory.doubt?.atMs ?? nextMs) };
}

function planNextMs(
  wish: ImageRepositoryWish,
  status: ImageRepositoryStatus,
  { spread, sinceMs }: CheckMemory,
  nowMs: number,
): number | undefined {
  const nextMs = planNextCheckMs(wish, status, nowMs);
  if (nextMs === undefined || nextMs === nowMs) return nextMs;
  const widthMs = Math.min(wish.intervalMs * spreadShare, longestSpreadMs);
  return Math.max(nextMs, sinceMs) + Math.round(spread * widthMs);
}

/** A check that was made: of what was seen before it, and with what the registry said. */
export interface CheckMade {
  readonly seen: CheckObservation;
  readonly answers: readonly TagAnswer[];
  /** When all tags were asked for, if they were. */
  readonly checkedAllMs: number | undefined;
  readonly nowMs: number;
  /** For the next one. */
  readonly spread: number;
}

/** After a tag that was pushed come the others: marks of pushes may have overwritten each other. */
export function rememberCheck(before: CheckMemory, made: CheckMade): CheckMemory {
  const { seen, checkedAllMs, spread } = made;
  return {
    ...before,
    push: seen.push?.text,
    doubt: judgePush(before.doubt, made),
    spread,
    ...(checkedAllMs === undefined
      ? { wish: undefined }
      : { wish: describeWish(seen), lastCheckedMs: checkedAllMs }),
  };
}

function judgePush(
  before: Doubt | undefined,
  { seen: { push }, answers, nowMs }: CheckMade,
): Doubt | undefined {
  if (push?.digest === undefined) return undefined;
  const known = before?.push === push.text ? before : undefined;
  const answer = answers.find(({ tag }) => tag === push.tag)?.answer;
  // One that can't be asked, or will not answer, is asked again in its own time.
  if (answer === undefined) return known;
  if (answer.kind !== 'missing' && answer.kind !== 'found') return undefined;
  if (answer.kind === 'found' && answer.digest === push.digest) return undefined;
  const looks = (known?.looks ?? 0) + 1;
  if (looks > mostLooks) return undefined;
  return { push: push.text, looks, atMs: nowMs + firstDoubtMs * 2 ** (looks - 1) };
}

/** What somebody who begins to plan checks may take from the status: what was asked for, and when. */
export function beginMemory(
  seen: CheckObservation & { readonly observedGeneration: number | undefined },
  nowMs: number,
  spread: number,
): CheckMemory {
  const { push, status } = seen;
  const lastMs = Date.parse(status.lastCheckedAt ?? '');
  const isFollowed = push?.atMs !== undefined && push.atMs <= lastMs && isKnown(push, status.tags);
  return {
    wish: seen.observedGeneration === seen.generation ? describeWish(seen) : undefined,
    push: isFollowed ? push.text : undefined,
    sinceMs: nowMs,
    spread,
  };
}

const isKnown = ({ tag, digest }: PushMark, tags: readonly TagStatus[]): boolean =>
  digest === undefined || tags.some((known) => known.tag === tag && known.digest === digest);

/** As a text that changes with what the registry is asked, and how. */
export function describeWish({
  wish,
  generation,
}: Pick<CheckObservation, 'wish' | 'generation'>): string {
  const tags = wish.kind === 'valid' ? wish.value.tags : [];
  return [generation, ...tags].join(' ');
}

/** The status with what is known better. */
export function recallStatus(
  status: ImageRepositoryStatus,
  { lastCheckedMs }: Pick<CheckMemory, 'lastCheckedMs'>,
): ImageRepositoryStatus {
  return lastCheckedMs === undefined
    ? status
    : { ...status, lastCheckedAt: toTimestamp(lastCheckedMs) };
}

/** Whether a check has found anything that others are to know. */
export function isWorthWriting(
  before: ImageRepositoryStatus,
  after: ImageRepositoryStatus,
): boolean {
  const shape = ({ tags, conditions }: ImageRepositoryStatus): string =>
    canonicalJson({ tags, conditions });
  if (shape(before) !== shape(after)) return true;
  if (before.lastCheckedAt === after.lastCheckedAt) return false;
  const apartMs = Date.parse(after.lastCheckedAt ?? '') - Date.parse(before.lastCheckedAt ?? '');
  return Number.isNaN(apartMs) || Math.abs(apartMs) >= noteCheckMs;
}
