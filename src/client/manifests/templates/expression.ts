/** A part of a generated value: a text as it stands, or so many random characters. */
export type Piece =
  { readonly literal: string } | { readonly characters: string; readonly length: number };

const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const digits = '0123456789';
/** In the order in which a range runs: a-Z and A-9 are ranges too. */
const inOrder = `${lower}${upper}${digits}`;

const classes: Readonly<Record<string, string>> = {
  w: `${inOrder}_`,
  d: digits,
  a: `${lower}${upper}`,
  A: '~!@#$%^&*()-_+={}[]\\|<,>.?/"\';:`',
};

const longest = 255;

/**
 * Reads an expression of a Template's parameter, such as user[A-Z0-9]{3}, or says in a clause what is
 * wrong with it. It is not a regular expression: there are only characters in brackets and their number.
 */
export function parseExpression(expression: string): readonly Piece[] | string {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of expression.matchAll(/\[([^\]]*)\](?:\{([^}]*)\})?/g)) {
    const [group, inside = '', count] = match;
    const characters = readCharacters(inside);
    if (characters === undefined) {
      return `"${group}" should have ranges such as a-z, letters, digits, \\w, \\d, \\a or \\A in its brackets`;
    }
    if (count === undefined) return `"${group}" needs a length, such as ${group}{8}`;
    const length = /^\d+$/.test(count) ? Number(count) : 0;
    if (length < 1 || length > longest) {
      return `"${group}" should have a length from 1 to ${longest}`;
    }
    pieces.push({ literal: expression.slice(end, match.index) }, { characters, length });
    end = match.index + group.length;
  }
  pieces.push({ literal: expression.slice(end) });
  return pieces.filter((piece) => !('literal' in piece) || piece.literal !== '');
}

function readCharacters(inside: string): string | undefined {
  let characters = '';
  let rest = inside;
  while (rest !== '') {
    const [part = '', name, from, to] =
      /^\\([wdaA])|^([a-zA-Z0-9])-([a-zA-Z0-9])|^[a-zA-Z0-9]/.exec(rest) ?? [];
    if (part === '') return undefined;
    if (name !== undefined) characters += classes[name] ?? '';
    else if (from !== undefined && to !== undefined) {
      const range = inOrder.slice(inOrder.indexOf(from), inOrder.indexOf(to) + 1);
      if (range === '') return undefined;
      characters += range;
    } else characters += part;
    rest = rest.slice(part.length);
  }
  return characters === '' ? undefined : [...new Set(characters)].join('');
}

/** A value that fits the expression; `pick` chooses a whole number from 0 to one less than it is given. */
export function generateValue(pieces: readonly Piece[], pick: (choices: number) => number): string {
  return pieces
    .map((piece) => {
      if ('literal' in piece) return piece.literal;
      const { characters, length } = piece;
      return Array.from({ length }, () => characters[pick(characters.length)]).join('');
    })
    .join('');
}
