/** One of the ways in which a server lets itself be convinced. */
export interface Challenge {
  /** In lower case. Example: bearer */
  readonly scheme: string;
  /** Their names are in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** A word, and its value where an equals sign follows: quoted, or up to the next comma. */
const wordPattern = /([\w!#$%&'*+.^`|~-]+)(?:[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/y;

/** Reads the header WWW-Authenticate, in which several challenges may follow each other. */
export function parseChallenges(header: string): readonly Challenge[] {
  const challenges: { readonly scheme: string; readonly parameters: Map<string, string> }[] = [];
  let position = 0;
  while (position < header.length) {
    wordPattern.lastIndex = position;
    const match = wordPattern.exec(header);
    if (match === null) {
      // Commas and blanks between the words, and whatever else does not belong here.
      position += 1;
      continue;
    }
    position = wordPattern.lastIndex;
    const [, word = '', quoted, plain] = match;
    const value = quoted?.replace(/\\(.)/g, '$1') ?? plain;
    if (value === undefined) challenges.push({ scheme: word.toLowerCase(), parameters: new Map() });
    else challenges.at(-1)?.parameters.set(word.toLowerCase(), value);
  }
  return challenges;
}
