import { describe, expect, test } from '@jest/globals';

import { fitTable } from '../../../src/client/output/fit-table.js';
import { textWidth } from '../../../src/client/output/line.js';

const rows = [
  ['NAME', 'WHY', 'WHAT', 'END'],
  ['1', 'because it had to be done at last', 'a short text', 'Complete'],
  ['2', 'no', 'another text that is longer', 'Failed'],
];

test('a table that fits is left alone', () => {
  expect(fitTable(rows, 200, [1, 2])).toEqual([
    'NAME   WHY                                 WHAT                          END',
    '1      because it had to be done at last   a short text                  Complete',
    '2      no                                  another text that is longer   Failed',
  ]);
});

test('the widest of those that may be cut gives way', () => {
  expect(fitTable(rows, 60, [1, 2])).toEqual([
    'NAME   WHY                   WHAT                   END',
    '1      because it had to …   a short text           Complete',
    '2      no                    another text that i…   Failed',
  ]);
});

describe.each([40, 60, 80, 100])('in %i columns', (columns) => {
  test('no line is wider', () => {
    for (const line of fitTable(rows, columns, [1, 2])) {
      expect(textWidth(line)).toBeLessThanOrEqual(columns);
    }
  });
});

test('a column that may not be cut is not, however little room there is', () => {
  const lines = fitTable(rows, 10, [1, 2]);
  expect(lines[1]).toBe('1      because…   a short…   Complete');
});

test('wide characters take their room', () => {
  const [line = ''] = fitTable([['漢字漢字漢字漢字漢字', 'x']], 16, [0]);
  expect(line).toBe('漢字漢字漢…   x');
  expect(textWidth(line)).toBeLessThanOrEqual(16);
});
