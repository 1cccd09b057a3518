import { badInput } from './failure.js';
import { kinds, matchKinds, type Kind } from './kinds.js';
import { closest } from './closest.js';

/** What KIND/NAME on the command line stands for. */
export interface Ref {
  /** As the user wrote it, for sentences. */
  readonly text: string;
  /** More than one when the group was left out and several have such a kind. */
  readonly kinds: readonly Kind[];
  readonly name: string;
}

const namePattern = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/** Example: deploy/web -> Deployment web of either API. */
export function parseRef(text: string): Ref {
  const [word = '', name, ...rest] = text.split('/');
  if (name === undefined || name === '' || rest.length > 0) {
    throw badInput(`KIND/NAME: "${text}" should look like deployment/web`);
  }
  const found = parseKind(word);
  if (!namePattern.test(name)) {
    throw badInput(`KIND/NAME: "${name}" can't be the name of a ${found[0]?.type.kind ?? 'thing'}`);
  }
  return { text, kinds: found, name };
}

/** For commands that also take a kind alone. */
export function parseKindOrRef(text: string): Omit<Ref, 'name'> & { readonly name?: string } {
  return text.includes('/') ? parseRef(text) : { text, kinds: parseKind(text) };
}

function parseKind(word: string): readonly Kind[] {
  const found = matchKinds(word);
  if (found.length > 0) return found;
  const known = [...new Set(kinds.flatMap(({ names }) => names))];
  const guess = closest(word.toLowerCase(), known);
  const hint =
    guess === undefined ? `it should be one of ${known.join(', ')}` : `did you mean ${guess}?`;
  throw badInput(`KIND: "${word}" is not a kind that Slipway knows; ${hint}`);
}
