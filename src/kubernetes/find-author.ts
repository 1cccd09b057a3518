import type { Author } from '../domain/shared/author.js';
import { defined } from '../domain/shared/optional.js';
import { readChangeNote, type ChangedTemplate } from './change-note.js';
import type { FieldsOwner, ObjectMeta } from './objects.js';

/**
 * Who has written the template of an object: as they say themselves, and as the apiserver says which
 * program it was that wrote a field of it last. Images that triggers fill in say nothing about that.
 */
export function findAuthor(metadata: ObjectMeta, changed: ChangedTemplate): Author {
  const stated = readChangeNote(metadata.annotations, changed);
  const filled = new Set(changed.filled?.map((name) => `k:${JSON.stringify({ name })}`));
  const manager =
    stated?.manager ??
    findLast(metadata, (owner) => writesMore(fieldsBelow(owner, ['f:spec', 'f:template']), filled));
  return { ...stated, ...defined({ manager }) };
}

/** The program that wrote a field, or something below it, last. */
export const findManager = (metadata: ObjectMeta, path: readonly string[]): string | undefined =>
  findLast(metadata, (owner) => fieldsBelow(owner, path) !== undefined);

function findLast(
  { managedFields = [] }: ObjectMeta,
  isMeant: (owner: FieldsOwner) => boolean,
): string | undefined {
  return managedFields
    .filter(({ subresource }) => subresource === undefined || subresource === '')
    .filter(isMeant)
    .sort(
      (a, b) =>
        (b.time ?? '').localeCompare(a.time ?? '') ||
        // Times are whole seconds. Whoever changes something later owns little else.
        countFields(a.fieldsV1) - countFields(b.fieldsV1),
    )[0]?.manager;
}

const countFields = (fields: unknown): number =>
  isFields(fields)
    ? Object.values(fields).reduce<number>((sum, below) => sum + countFields(below), 1)
    : 0;

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function fieldsBelow({ fieldsV1 }: FieldsOwner, path: readonly string[]): Fields | undefined {
  let fields: unknown = fieldsV1;
  for (const step of path) fields = isFields(fields) ? fields[step] : undefined;
  return isFields(fields) ? fields : undefined;
}

/** Whether there is anything but images of containers in which they are filled in. */
function writesMore(
  fields: Fields | undefined,
  filled: ReadonlySet<string>,
  isFilled = false,
): boolean {
  if (fields === undefined) return false;
  const entries = Object.entries(fields);
  if (entries.length === 0) return true;
  return entries.some(
    ([step, below]) =>
      !(isFilled && step === 'f:image') &&
      writesMore(isFields(below) ? below : {}, filled, filled.has(step)),
  );
}
