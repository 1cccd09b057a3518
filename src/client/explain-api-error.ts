import { isForbidden, type ApiError } from '../kubernetes/api-error.js';
import { cleanText } from './output/line.js';

/** One thing that the apiserver has against an object. */
export interface Complaint {
  /** Example: spec.replicas; left out when the server names none. */
  readonly field?: string;
  readonly problem: string;
  /** The field doesn't exist, so another one was probably meant. */
  readonly isUnknownField?: true;
}

/** The apiserver's answer as short clauses, without the server's way of quoting whole values. */
export function explainApiError(error: ApiError): Complaint[] {
  const complaints = [
    ...explainCauses(error),
    ...explainTypedPatch(error.message),
    ...explainStrictDecoding(error.message),
  ];
  if (complaints.length > 0) return onePerField(complaints);
  if (error.code === 401) return [{ problem: "the cluster doesn't accept these credentials" }];
  if (isForbidden(error)) return [{ problem: `you may not do that: ${cleanText(error.message)}` }];
  return [{ problem: cleanText(error.message) }];
}

function explainCauses({ causes }: ApiError): Complaint[] {
  return causes.flatMap(({ field, message }) => {
    // The server adds a cause without a field when rules could not be checked for the other ones.
    if (field === undefined || field === '<nil>' || message === undefined) return [];
    return [{ field: field.replace(/^\./, ''), problem: shorten(message, field) }];
  });
}

/** The schema, its rules and the scale subresource may all complain of one thing. */
function onePerField(complaints: readonly Complaint[]): Complaint[] {
  const seen = new Set<string | undefined>();
  return complaints.filter(({ field }) => {
    const isNew = !seen.has(field);
    seen.add(field);
    return isNew;
  });
}

const unknownField = 'there is no such field';

/** Example: Invalid value: -1: must be greater than or equal to 0 -> must be greater than or equal to 0 */
function shorten(message: string, field: string): string {
  const text = cleanText(message);
  if (/^Required value$/.test(text)) return 'is required';
  const required = /^Required value: (.+)$/.exec(text)?.[1];
  if (required !== undefined) return required;
  const unsupported = /^Unsupported value: (.+?): supported values: (.+)$/.exec(text);
  if (unsupported !== null)
    return `${unsupported[1] ?? ''} should be one of ${unsupported[2] ?? ''}`;
  const duplicate = /^Duplicate value: (.+)$/.exec(text)?.[1];
  if (duplicate !== undefined) return `${duplicate} is there twice`;
  return dropValue(text)
    .replace(`${field} in body `, '')
    .replace(/^should /, 'must ');
}

/** The value is in the manifest already, and may be a whole map here. */
function dropValue(text: string): string {
  const rest = /^(?:Invalid value|Forbidden|Too long|Too many|Too few): (.+)$/.exec(text)?.[1];
  if (rest === undefined) return text;
  const quoted =
    /^(?:"(?:[^"\\]|\\.)*"|-?[\d.]+|null|true|false|\{.*\}|\[.*\]|\w[\w.[\]]*\{.*\}): (.+)$/.exec(
      rest,
    );
  return quoted?.[1] ?? rest;
}

/** Server-side apply checks an object against its schema before anything else, and answers 500. */
function explainTypedPatch(message: string): Complaint[] {
  const detail = /failed to create typed patch object \([^)]*\): (.+)$/s.exec(message)?.[1];
  if (detail === undefined) return [];
  return detail.split('\n').flatMap((line) => {
    const match = /^\s*\.?((?:[^:[\]]|\[[^\]]*\])+): (.+)$/.exec(line);
    if (match === null) return line.trim() === '' ? [] : [{ problem: cleanText(line.trim()) }];
    const field = match[1] ?? '';
    if (match[2] === 'field not declared in schema') {
      return [{ field, problem: unknownField, isUnknownField: true as const }];
    }
    return [{ field, problem: explainMismatch(match[2] ?? '') }];
  });
}

function explainMismatch(text: string): string {
  const mismatch = /^expected (.+?)(?: \(.*\))?, got (.+)$/.exec(text);
  if (mismatch === null) return cleanText(text);
  const wanted = mismatch[1] === 'numeric' ? 'number' : (mismatch[1] ?? '');
  // Either the name of a type, or the value itself in the way Go prints pointers.
  const value = /^&\{(.*)\}$/.exec(mismatch[2] ?? '')?.[1];
  const got = value === undefined ? `a ${mismatch[2] ?? ''}` : `"${value}"`;
  return cleanText(`must be a ${wanted}, not ${got}`);
}

function explainStrictDecoding(message: string): Complaint[] {
  if (!message.includes('strict decoding error')) return [];
  return [...message.matchAll(/(unknown|duplicate) field "([^"]+)"/g)].map(
    ([, what, field = '']) =>
      what === 'unknown'
        ? { field, problem: unknownField, isUnknownField: true }
        : { field, problem: 'is there twice' },
  );
}
