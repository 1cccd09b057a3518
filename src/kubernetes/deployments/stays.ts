import type { StayBeginning } from '../../domain/deployment/stay-beginning.js';
import { defined } from '../../domain/shared/optional.js';
import type { Revision } from '../../domain/shared/revision.js';
import { beginStay, ends, tellStay, type Stay, type StayNews } from '../../domain/shared/stay.js';
import type { PodTemplate, ReplicaSet } from '../objects.js';
import { annotations } from './annotations.js';

/** Objects from a watch are never changed in place, so each list is read once. */
const known = new WeakMap<ReplicaSet, readonly Stay[]>();

/** The times that a ReplicaSet was the new one, as far as they were noted; the latest last. */
export function readStays(set: ReplicaSet): readonly Stay[] {
  const read = known.get(set) ?? parseStays(set.metadata.annotations?.[annotations.stays]);
  known.set(set, read);
  return read;
}

/** What a stay begins with. */
interface Beginning {
  readonly revision: Revision;
  readonly triggers: readonly string[];
  readonly beginning: StayBeginning;
}

/** The annotation with one more stay, which follows that of the set before. */
export function beginAnnotation(
  set: ReplicaSet,
  before: ReplicaSet | undefined,
  { revision, triggers, beginning: { from, ...beginning } }: Beginning,
): Record<string, string> {
  const was = listImages(before?.spec?.template ?? {});
  const isSame = was.join() === listImages(set.spec?.template ?? {}).join();
  const stay: Stay = {
    revision,
    triggers,
    ...beginning,
    ...defined({ from: from?.revision }),
    ...(isSame || was.length === 0 ? {} : { was: was.slice(0, mostImages) }),
  };
  const cause = set.metadata.annotations?.[annotations.changeCause];
  return toAnnotation(beginStay(readStays(set), stay, cause));
}

/** The annotation with what became of a stay. */
export const tellAnnotation = (
  set: ReplicaSet,
  revision: Revision,
  news: StayNews,
): Record<string, string> => toAnnotation(tellStay(readStays(set), revision, news));

const toAnnotation = (stays: readonly Stay[]): Record<string, string> => ({
  [annotations.stays]: JSON.stringify(stays),
});

const mostImages = 20;

/** The images that a template's pods run. */
export const listImages = ({ spec }: PodTemplate): string[] =>
  spec?.containers.map(({ image }) => image ?? '') ?? [];

/** Only Slipway writes it; what it can't read it has not written. */
function parseStays(text: string | undefined): readonly Stay[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(list) ? list.filter(isStay) : [];
  } catch {
    return [];
  }
}

function isStay(value: unknown): value is Stay {
  if (typeof value !== 'object' || value === null) return false;
  const { revision, startedAt, triggers, end } = value as Partial<Record<keyof Stay, unknown>>;
  return (
    (typeof revision === 'number' || typeof revision === 'string') &&
    typeof startedAt === 'string' &&
    Array.isArray(triggers) &&
    (end === undefined || ends.some((one) => one === end))
  );
}
