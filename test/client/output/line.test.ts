import { describe, expect, test } from '@jest/globals';

import { cleanText, paintLine, span, textWidth } from '../../../src/client/output/line.js';

describe('paintLine', () => {
  const line = [span('web', 'strong'), span(' is '), span('Failed', 'bad')];

  test('without colour there is nothing but text', () => {
    expect(paintLine(line, { colour: false })).toBe('web is Failed');
  });

  test('with colour each tone begins and ends', () => {
    expect(paintLine(line, { colour: true })).toBe(
      '\u001b[1mweb\u001b[0m is \u001b[31mFailed\u001b[0m',
    );
  });

  test.each([
    [13, 'web is Failed'],
    [12, 'web is Fail…'],
    [8, 'web is …'],
    [4, 'web…'],
    [1, '…'],
    [0, ''],
  ])('in %i columns it is "%s"', (columns, text) => {
    expect(paintLine(line, { colour: false, columns })).toBe(text);
  });

  test('text from the cluster can’t move the cursor or break the line', () => {
    const evil = [span('a\u001b[2Jb\nc\u009b1Ad')];
    expect(paintLine(evil, { colour: false })).toBe('a [2Jb c 1Ad');
  });

  test('a wide character is not cut in half', () => {
    expect(paintLine([span('日本語')], { colour: false, columns: 4 })).toBe('日…');
  });
});

test.each([
  ['abc', 3],
  ['日本', 4],
  ['é', 1],
  ['e\u0301', 1],
  ['🚀', 2],
  ['├─', 2],
  ['', 0],
])('"%s" is %i columns wide', (text, width) => {
  expect(textWidth(text)).toBe(width);
});

test('cleanText joins what was broken into lines', () => {
  expect(cleanText('a\r\n\tb')).toBe('a b');
});
