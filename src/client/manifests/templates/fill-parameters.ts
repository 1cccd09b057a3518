import { mapStrings } from '../json-value.js';

/** What a parameter becomes as a part of a text, and in place of a whole field. */
export interface Filling {
  readonly text: string;
  readonly whole: unknown;
}

/**
 * Puts the values in place of ${NAME}, anywhere in a text, and of ${{NAME}}, which must be the whole of
 * it. Keys are filled too. Names that are no parameters stay: they may be meant for a shell.
 */
export function fillParameters(value: unknown, fillings: ReadonlyMap<string, Filling>): unknown {
  return mapStrings(value, (text) => {
    const name = /^\$\{\{(\w+)\}\}$/.exec(text)?.[1] ?? '';
    const whole = fillings.get(name);
    return whole === undefined ? fillText(text, fillings) : whole.whole;
  });
}

export function fillText(text: string, fillings: ReadonlyMap<string, Filling>): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (all, name: string) => fillings.get(name)?.text ?? all);
}
