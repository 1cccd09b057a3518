import { defined } from '../../domain/shared/optional.js';
import { readAuthor } from '../change-note.js';
import { parseFields } from '../parse-fields.js';
import { configAnnotations } from './annotations.js';
import type { ReplicationController } from './objects.js';

/** Who wanted a version tried again, and why. */
export interface Retry {
  readonly by?: string;
  readonly reason?: string;
}

/** One try of a version. */
export interface Try {
  /** Which one it is, from 1. */
  readonly number: number;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly isCancelled?: boolean;
  readonly cancelledBy?: string;
  /** Why it failed. */
  readonly endReason?: string;
  /** Why there was this one, where it was not the first. */
  readonly retry?: Retry;
}

/** A version that fails again and again keeps the latest of its tries. */
const mostTries = 10;

/** What to write when a failed version is tried again: how the last try ended, and who wants another. */
export function noteTry(version: ReplicationController): Record<string, string | null> {
  const written = version.metadata.annotations ?? {};
  return {
    [configAnnotations.tries]: JSON.stringify(listTries(version).slice(-mostTries)),
    [configAnnotations.retried]: JSON.stringify(parseRetry(written[configAnnotations.retry])),
    [configAnnotations.cancelledBy]: null,
  };
}

/** The tries of a version that it still knows of, the latest last; that is the one it is at, or has ended with. */
export function listTries(version: ReplicationController): readonly Try[] {
  const before = readTries(version);
  return [...before, { number: nextNumber(before), ...describeTry(version) }];
}

function describeTry(version: ReplicationController): Omit<Try, 'number'> {
  const written = version.metadata.annotations ?? {};
  const retried = written[configAnnotations.retried];
  return defined({
    startedAt: written[configAnnotations.startedAt],
    endedAt: written[configAnnotations.endedAt],
    isCancelled: written[configAnnotations.cancelled] === 'true' ? true : undefined,
    cancelledBy: written[configAnnotations.cancelledBy],
    endReason: written[configAnnotations.statusReason],
    retry: retried === undefined ? undefined : parseRetry(retried),
  });
}

/** The tries before the one that a version is at. */
function readTries({ metadata }: ReplicationController): readonly Try[] {
  try {
    const list: unknown = JSON.parse(metadata.annotations?.[configAnnotations.tries] ?? '[]');
    const isTry = (one: unknown): one is Partial<Try> => typeof one === 'object' && one !== null;
    return Array.isArray(list) ? list.filter(isTry).reduce<readonly Try[]>(addNumbered, []) : [];
  } catch {
    return [];
  }
}

/** Older workers write no numbers: such a try comes after the one before it. */
const addNumbered = (before: readonly Try[], one: Partial<Try>): readonly Try[] => [
  ...before,
  { ...one, number: one.number ?? nextNumber(before) },
];

const nextNumber = (before: readonly Try[]): number => (before.at(-1)?.number ?? 0) + 1;

/** Anybody may write the wish: as JSON with a name, or in plain words. */
function parseRetry(text = ''): Retry {
  const { by, reason } = readAuthor(parseFields(text));
  if (by !== undefined || reason !== undefined) return defined({ by, reason });
  return text === '' || text.startsWith('{') ? {} : { reason: text };
}
