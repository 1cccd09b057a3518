import { describe, expect, test } from '@jest/globals';

import {
  parsePair,
  parseParamFile,
  readParams,
} from '../../../../src/client/manifests/templates/param-options.js';

describe('--param', () => {
  test.each([
    ['A=b', ['A', 'b']],
    ['A=', ['A', '']],
    ['A=b=c', ['A', 'b=c']],
    ['A', undefined],
    ['=b', undefined],
  ])('%s', (text, pair) => {
    expect(parsePair(text)).toEqual(pair);
  });
});

describe('--param-file', () => {
  test.each([
    ['A=b', 'b'],
    ['  A = b  ', 'b'],
    ['export A=b', 'b'],
    ['A=', ''],
    ['A=b=c', 'b=c'],
    ['A=b # a comment', 'b'],
    ['A=b#c', 'b#c'],
    ["A='b # \\n c'  # a comment", 'b # \\n c'],
    ['A="b \\"c\\" \\n # d"', 'b "c" \n # d'],
    ['A=b\r', 'b'],
    ['A=1\nA=2', '2'],
  ])('%j', (text, value) => {
    const { values, mistakes } = parseParamFile('x.env', `# first\n\n${text}\n`);
    expect(mistakes).toEqual([]);
    expect([...values]).toEqual([['A', value]]);
  });

  test.each([
    ['A', 'x.env: line 2: should be NAME=VALUE'],
    ['A-B=c', 'x.env: line 2: should be NAME=VALUE'],
    ['A="b', 'x.env: line 2: A: the quote is not closed'],
    ["A='b", 'x.env: line 2: A: the quote is not closed'],
  ])('%j is refused', (line, sentence) => {
    expect(parseParamFile('x.env', `OK=1\n${line}`).mistakes).toEqual([sentence]);
  });

  test('the later file wins, and the command line over both', () => {
    const files = [
      { name: 'a.env', text: 'A=1\nB=1\nC=1' },
      { name: 'b.env', text: 'B=2\nC=2' },
    ];
    expect([...readParams(files, [['C', '3']]).values]).toEqual([
      ['A', '1'],
      ['B', '2'],
      ['C', '3'],
    ]);
  });
});
