import { expect, test } from '@jest/globals';

import { renderTable } from '../../../src/client/output/table.js';

test('columns are as wide as their widest cell, and nothing trails', () => {
  expect(
    renderTable(
      ['NAME', 'AGE'],
      [
        ['web', '1m'],
        ['日本-api', ''],
      ],
    ),
  ).toEqual(['NAME       AGE', 'web        1m', '日本-api']);
});

test('a table may have no rows', () => {
  expect(renderTable(['NAME', 'AGE'], [])).toEqual(['NAME   AGE']);
});
