import { closest } from '../../closest.js';
import type { Source } from '../read-sources.js';

/** Example: DB_USER=shop -> the name and the value, which may have an equals sign too. */
export function parsePair(text: string): readonly [name: string, value: string] | undefined {
  const at = text.indexOf('=');
  return at < 1 ? undefined : [text.slice(0, at), text.slice(at + 1)];
}

export interface ReadParams {
  readonly values: ReadonlyMap<string, string>;
  readonly mistakes: readonly string[];
}

/** The values of the files, in their order, and those of the command line, which win. */
export function readParams(
  files: readonly Source[],
  pairs: readonly (readonly [string, string])[],
): ReadParams {
  const parsed = files.map(({ name, text }) => parseParamFile(name, text));
  return {
    values: new Map([...parsed.flatMap(({ values }) => [...values]), ...pairs]),
    mistakes: parsed.flatMap(({ mistakes }) => mistakes),
  };
}

/** A file of NAME=VALUE lines, as shells and `oc process` read it: with comments, quotes and `export`. */
export function parseParamFile(file: string, text: string): ReadParams {
  const values = new Map<string, string>();
  const mistakes: string[] = [];
  text.split(/\r?\n/).forEach((line, index) => {
    const trimmed = line.trim().replace(/^export\s+/, '');
    if (trimmed === '' || trimmed.startsWith('#')) return;
    const [, name, rest = ''] = /^(\w+)\s*=\s*(.*)$/.exec(trimmed) ?? [];
    const value = readValue(rest);
    if (name === undefined) mistakes.push(`${file}: line ${index + 1}: should be NAME=VALUE`);
    else if (value === undefined) {
      mistakes.push(`${file}: line ${index + 1}: ${name}: the quote is not closed`);
    } else values.set(name, value);
  });
  return { values, mistakes };
}

function readValue(text: string): string | undefined {
  if (text.startsWith("'")) return /^'([^']*)'\s*(?:#.*)?$/.exec(text)?.[1];
  if (text.startsWith('"')) {
    return /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/
      .exec(text)?.[1]
      ?.replaceAll(/\\(.)/g, (_all, letter: string) => escapes[letter] ?? letter);
  }
  return text.replace(/\s+#.*$/, '').trimEnd();
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** A sentence for each value that belongs to no parameter of any Template. */
export function findUnknownParams(given: Iterable<string>, known: readonly string[]): string[] {
  return [...given]
    .filter((name) => !known.includes(name))
    .map((name) => {
      if (known.length === 0) {
        return `--param ${name}: there is no Template with parameters in the files`;
      }
      const guess = closest(name, known);
      const hint = guess === undefined ? '' : `; did you mean ${guess}?`;
      return `--param ${name}: no Template has a parameter of that name${hint}`;
    });
}
