import { defined } from '../shared/optional.js';
import type { RollbackProblem } from './report.js';
import type { RollbackWish } from './wish.js';

export type ReadWish =
  | { readonly kind: 'wish'; readonly wish: RollbackWish }
  | { readonly kind: 'problems'; readonly problems: readonly RollbackProblem[] };

const knownFields = ['release', 'config', 'application', 'keepsReplicas', 'notes', 'by'] as const;

/**
 * A wish as somebody wrote it, with what is left out filled in. What can't be understood is told, all of it,
 * and is never taken for something else: a misspelt release must not mean the usual one.
 */
export function readWish(name: string, written: unknown): ReadWish {
  if (typeof written !== 'object' || written === null || Array.isArray(written)) {
    return refuse([{ field: whole, message: 'must be an object' }]);
  }
  const fields = written as Readonly<Record<string, unknown>>;
  const problems = [
    ...findUnknown(fields),
    ...['config', 'application', 'keepsReplicas'].flatMap((field) =>
      findWrongType(fields, field, 'boolean'),
    ),
    ...['notes', 'by'].flatMap((field) => findWrongType(fields, field, 'string')),
  ];
  const release = readRelease(name, fields['release']);
  if (typeof release === 'object') problems.push(release);
  if (problems.length > 0) return refuse(problems);
  const wish = {
    config: fields['config'] !== false,
    application: fields['application'] !== false,
    ...defined({
      release: release as number | undefined,
      keepsReplicas: fields['keepsReplicas'] === true ? true : undefined,
      notes: readText(fields['notes']),
      by: readText(fields['by']),
    }),
  };
  return wish.config || wish.application ? { kind: 'wish', wish } : refuse([nothingGoesBack]);
}

/** Of a problem that is about no field in particular. */
const whole = '';

/** All problems in a sentence, each with where it is. Example: rollback.release: must be a version of web */
export const describeWishProblems = (path: string, problems: readonly RollbackProblem[]): string =>
  problems
    .map(({ field, message }) => `${field === whole ? path : `${path}.${field}`}: ${message}`)
    .join('; ');

const nothingGoesBack: RollbackProblem = {
  field: 'application',
  message: 'must be true when config is false, or nothing would go back',
};

const refuse = (problems: readonly RollbackProblem[]): ReadWish => ({ kind: 'problems', problems });

function findUnknown(fields: Readonly<Record<string, unknown>>): RollbackProblem[] {
  return Object.keys(fields)
    .filter((field) => !knownFields.some((known) => known === field))
    .map((field) => ({
      field,
      message:
        field === 'strategy'
          ? 'is not accepted: a rollback is rolled out by the strategy that the config then has'
          : `is not known; there are ${knownFields.join(', ')}`,
    }));
}

function findWrongType(
  fields: Readonly<Record<string, unknown>>,
  field: string,
  type: 'boolean' | 'string',
): RollbackProblem[] {
  const value = fields[field];
  if (value === undefined || value === null || typeof value === type) return [];
  return [{ field, message: `must be ${type === 'boolean' ? 'true or false' : 'a text'}` }];
}

const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Example: "web-3", "3" or 3 for version 3 of web; absent or empty for the usual one. */
export function readRelease(name: string, written: unknown): number | undefined | RollbackProblem {
  if (written === undefined || written === null || written === '') return undefined;
  const text = typeof written === 'number' ? String(written) : written;
  const digits =
    typeof text === 'string' && text.startsWith(`${name}-`) ? text.slice(name.length + 1) : text;
  const version =
    typeof digits === 'string' && /^[1-9]\d*$/.test(digits) ? Number(digits) : Number.NaN;
  if (Number.isSafeInteger(version)) return version;
  return {
    field: 'release',
    message: `must be a version of ${name}, such as "${name}-1" or "1", not ${JSON.stringify(written)}`,
  };
}
