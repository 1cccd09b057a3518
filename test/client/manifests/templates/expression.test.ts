import { describe, expect, test } from '@jest/globals';

import {
  generateValue,
  parseExpression,
} from '../../../../src/client/manifests/templates/expression.js';

/** Picks one character after another, so that a value shows all that can be picked. */
function inTurn(): (choices: number) => number {
  let turn = 0;
  return (choices) => turn++ % choices;
}

function generate(expression: string): string {
  const pieces = parseExpression(expression);
  if (typeof pieces === 'string') throw new Error(pieces);
  return generateValue(pieces, inTurn());
}

describe('expressions', () => {
  test.each([
    ['user[A-C]{3}', 'userABC'],
    ['[0-1]{4}x[0-1]{2}', '0101x01'],
    ['0x[A-F0-9]{4}', '0xABCD'],
    ['[a-c1-2]{6}', 'abc12a'],
    ['[abc]{4}', 'abca'],
    ['[y-B]{4}', 'yzAB'],
    ['[\\d]{10}', '0123456789'],
    ['[\\a]{53}', 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZa'],
    ['[\\w]{63}', 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_'],
    ['[\\A]{5}', '~!@#$'],
    ['[\\d\\d0-9]{11}', '01234567890'],
    ['plain', 'plain'],
    ['[0-9]{255}', '0123456789'.repeat(26).slice(0, 255)],
  ])('%s', (expression, value) => {
    expect(generate(expression)).toBe(value);
  });

  test.each([
    ['[a-z]', '"[a-z]" needs a length, such as [a-z]{8}'],
    ['[a-z]{0}', '"[a-z]{0}" should have a length from 1 to 255'],
    ['[a-z]{256}', '"[a-z]{256}" should have a length from 1 to 255'],
    ['[a-z]{x}', '"[a-z]{x}" should have a length from 1 to 255'],
    ['[z-a]{3}', expect.stringMatching(/^"\[z-a\]\{3\}" should have ranges such as a-z/)],
    ['[]{3}', expect.stringMatching(/^"\[\]\{3\}" should have ranges/)],
    ['[!?]{3}', expect.stringMatching(/^"\[!\?\]\{3\}" should have ranges/)],
    ['[\\x]{3}', expect.stringMatching(/should have ranges/)],
    ['ok[a-z]{2}[a-]{3}', expect.stringMatching(/^"\[a-\]\{3\}" should have ranges/)],
  ])('%s is refused', (expression, clause) => {
    expect(parseExpression(expression)).toEqual(clause);
  });
});
