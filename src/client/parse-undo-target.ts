import { readRevision, type Revision } from '../domain/shared/revision.js';
import { parseRefFor } from './abilities.js';
import { badInput } from './failure.js';
import type { Ref } from './parse-ref.js';

/** An object, and the revision that it is to go back to, where one is named. */
export interface UndoTarget {
  readonly ref: Ref;
  readonly revision?: Revision;
}

/** Example: dc/web@3 -> DeploymentConfig web, version 3 */
export function parseUndoTarget(text: string): UndoTarget {
  const at = text.lastIndexOf('@');
  if (at === -1) return { ref: parseRefFor('undo', text) };
  const ref = parseRefFor('undo', text.slice(0, at));
  const digits = text.slice(at + 1);
  if (!/^[1-9]\d{0,18}$/.test(digits)) {
    throw badInput(`KIND/NAME@REVISION: "${digits}" in "${text}" is no revision of "history"`);
  }
  return { ref, revision: readRevision(digits) };
}
