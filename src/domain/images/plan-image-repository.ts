import {
  findCondition,
  removeCondition,
  setCondition,
  toTimestamp,
  type Condition,
  type ConditionChange,
} from '../shared/conditions.js';
import type { ImageRepositoryWish } from './judge-image-repository.js';
import { formatImage, formatRepository, type Parsed, type RepositoryName } from './parse-image.js';
import type { RegistryAnswer, RegistryProblem } from './registry-answer.js';

/** What is known of one tag: what it stood for when the registry last told. */
export interface TagStatus {
  readonly tag: string;
  /** In full and by its digest, as a pod can pull it. */
  readonly image: string;
  readonly digest: string;
  /** Since when the tag is known to stand for this digest, where that was told. */
  readonly resolvedAt?: string;
  /** The image that it stood for before. */
  readonly previous?: string;
  /** All that it stood for before, the latest first, as far as there is room. */
  readonly history?: readonly PastDigest[];
}

export interface PastDigest {
  readonly digest: string;
  readonly resolvedAt?: string;
}

export interface ImageRepositoryStatus {
  readonly tags: readonly TagStatus[];
  readonly conditions: readonly Condition[];
  /** When all tags were last asked for. */
  readonly lastCheckedAt?: string;
}

/** What the registry itself said of a tag; a mere notification has to be confirmed by it first. */
export interface TagAnswer {
  readonly tag: string;
  readonly answer: RegistryAnswer;
}

export interface ImageRepositoryObservation {
  readonly wish: Parsed<ImageRepositoryWish>;
  readonly status: ImageRepositoryStatus;
  /** Of all tags after a check, of one after a notification. */
  readonly answers: readonly TagAnswer[];
  /** Credentials that are named and can't be used; undefined where nobody has looked. */
  readonly credentialProblems?: readonly string[] | undefined;
  readonly nowMs: number;
}

export interface ImageRepositoryPlan {
  readonly status: ImageRepositoryStatus;
  /** When to ask for all tags; undefined while there is nothing to ask for. */
  readonly nextCheckMs: number | undefined;
}

export const emptyImageRepositoryStatus: ImageRepositoryStatus = { tags: [], conditions: [] };

export const readyType = 'Ready';
/** Stands only while something is wrong with them: a registry may well do without. */
export const credentialsType = 'CredentialsUsable';

/** A registry that fails is asked ever less often, but at least this often, if it was before. */
const longestBackoffMs = 10 * 60_000;

/** From the gravest to the mildest: the first that there is becomes the reason. */
const problemReasons = [
  ['unreachable', 'RegistryUnreachable'],
  ['refused', 'RegistryRefused'],
  ['nonsense', 'RegistryAnswerInvalid'],
] as const satisfies readonly (readonly [RegistryProblem['kind'], string])[];

/** A missing tag is a proper answer: the registry works, and is asked as often as before. */
const failureReasons: readonly string[] = problemReasons.map(([, reason]) => reason);

/** The status that follows from what the registry has said, and when to ask it again. */
export function planImageRepository(seen: ImageRepositoryObservation): ImageRepositoryPlan {
  const { wish, status, answers, nowMs } = seen;
  if (wish.kind === 'invalid') {
    const change = notReady('InvalidSpec', wish.problem);
    const conditions = mark(status.conditions, change, nowMs);
    return { status: { ...status, conditions }, nextCheckMs: undefined };
  }
  const { name, tags } = wish.value;
  const answerOf = (tag: string): RegistryAnswer | undefined =>
    answers.findLast((answer) => answer.tag === tag)?.answer;
  const known = keepKnown(name, status.tags);
  const nextTags = tags.flatMap((tag) => {
    const before = known.find((entry) => entry.tag === tag);
    const next = followTag(name, tag, before, answerOf(tag), nowMs);
    return next === undefined ? [] : [next];
  });
  const isWhole = tags.every((tag) => answerOf(tag) !== undefined);
  const { credentialProblems } = seen;
  const change = judgeAnswers(wish.value, answerOf, isWhole, credentialProblems);
  const judged = change === undefined ? status.conditions : mark(status.conditions, change, nowMs);
  const next: ImageRepositoryStatus = {
    ...status,
    tags: nextTags,
    conditions: markCredentials(judged, credentialProblems, nowMs),
    ...(isWhole && tags.length > 0 ? { lastCheckedAt: toTimestamp(nowMs) } : {}),
  };
  // A registry that has failed and answers a notification's question is back: no need to wait longer.
  const isBack =
    !isWhole && isFailing(status) && answers.some(({ answer }) => answer.kind === 'found');
  return {
    status: next,
    nextCheckMs: isBack ? nowMs : planNextCheckMs(wish.value, next, nowMs),
  };
}

/**
 * When to ask for all tags: an interval after the last time, or, where the registry has failed, after as
 * long again as it has been failing, within bounds. So the pauses double, and nothing has to be counted.
 */
export function planNextCheckMs(
  { tags, intervalMs, name }: ImageRepositoryWish,
  status: ImageRepositoryStatus,
  nowMs: number,
): number | undefined {
  if (tags.length === 0) return undefined;
  const lastMs = Date.parse(status.lastCheckedAt ?? '');
  // A time in the future is another clock's: better ask once more than wait for it.
  if (Number.isNaN(lastMs) || lastMs > nowMs + intervalMs) return nowMs;
  const ready = findCondition(status.conditions, readyType);
  const known = keepKnown(name, status.tags);
  const isNew = (tag: string): boolean => !known.some((entry) => entry.tag === tag);
  // All tags were there when it became ready, so a tag that isn't has been asked for since.
  if (ready?.status !== 'False' && tags.some(isNew)) return nowMs;
  if (!isFailing(status)) return lastMs + intervalMs;
  const sinceMs = Date.parse(ready?.lastUpdateTime ?? ready?.lastTransitionTime ?? '');
  const failingMs = Number.isNaN(sinceMs) ? 0 : lastMs - sinceMs;
  const longestMs = Math.max(intervalMs, longestBackoffMs);
  return lastMs + Math.min(Math.max(failingMs, intervalMs), longestMs);
}

function isFailing({ conditions }: ImageRepositoryStatus): boolean {
  return failureReasons.includes(findCondition(conditions, readyType)?.reason ?? '');
}

/** What was found in another repository, before the spec named this one, says nothing about it. */
function keepKnown(name: RepositoryName, tags: readonly TagStatus[]): readonly TagStatus[] {
  return tags.filter(({ image, digest }) => image === formatImage({ ...name, digest }));
}

/** Only a new digest changes anything: a tag that is gone, or can't be asked for, keeps its last one. */
function followTag(
  name: RepositoryName,
  tag: string,
  before: TagStatus | undefined,
  answer: RegistryAnswer | undefined,
  nowMs: number,
): TagStatus | undefined {
  if (answer?.kind !== 'found' || answer.digest === before?.digest) return before;
  const { digest } = answer;
  return {
    tag,
    image: formatImage({ ...name, digest }),
    digest,
    resolvedAt: toTimestamp(nowMs),
    ...(before === undefined ? {} : { previous: before.image, history: remember(before) }),
  };
}

/** A tag may move with every push, and a repository has up to a hundred of them. */
const mostPast = 10;

function remember({ digest, resolvedAt, history = [] }: TagStatus): readonly PastDigest[] {
  const last = resolvedAt === undefined ? { digest } : { digest, resolvedAt };
  return [last, ...history].slice(0, mostPast);
}

/** Good news about some tags says nothing about the others: only a whole check makes it ready. */
function judgeAnswers(
  { name, tags }: ImageRepositoryWish,
  answerOf: (tag: string) => RegistryAnswer | undefined,
  isWhole: boolean,
  credentialProblems: readonly string[] = [],
): ConditionChange | undefined {
  const problems = tags.map(answerOf).filter(isProblem);
  for (const [kind, reason] of problemReasons) {
    const found = problems.find((problem) => problem.kind === kind);
    if (found === undefined) continue;
    const hints = kind === 'refused' ? credentialProblems : [];
    return notReady(reason, [found.problem, ...hints].join('; '));
  }
  const where = formatRepository(name);
  const missing = tags.filter((tag) => answerOf(tag)?.kind === 'missing');
  if (missing.length > 0) {
    const words = missing.length === 1 ? 'tag' : 'tags';
    return notReady('TagNotFound', `${where} has no ${words} ${missing.join(', ')}`);
  }
  if (!isWhole) return undefined;
  const message =
    tags.length === 0
      ? `no tag of ${where} is asked for`
      : `${where} has told what ${tags.length === 1 ? 'its tag stands' : `its ${tags.length} tags stand`} for`;
  return { type: readyType, status: 'True', reason: 'Resolved', message };
}

/** A new message alone moves no time: since when a registry fails is read from them. */
function mark(
  conditions: readonly Condition[],
  change: ConditionChange,
  nowMs: number,
): readonly Condition[] {
  return setCondition(conditions, change, nowMs).map((condition) =>
    condition.type === change.type && condition.message !== change.message
      ? { ...condition, message: change.message }
      : condition,
  );
}

function markCredentials(
  conditions: readonly Condition[],
  problems: readonly string[] | undefined,
  nowMs: number,
): readonly Condition[] {
  if (problems === undefined) return conditions;
  if (problems.length === 0) return removeCondition(conditions, credentialsType);
  const message = problems.join('; ');
  const change = { type: credentialsType, status: 'False', reason: 'NotUsable', message } as const;
  return mark(conditions, change, nowMs);
}

const notReady = (reason: string, message: string): ConditionChange => ({
  type: readyType,
  status: 'False',
  reason,
  message,
});

function isProblem(answer: RegistryAnswer | undefined): answer is RegistryProblem {
  return answer !== undefined && answer.kind !== 'found' && answer.kind !== 'missing';
}
