import { describe, expect, test } from '@jest/globals';

import { paintLine } from '../../../src/client/output/line.js';
import {
  describeStanding,
  renderNextCommands,
} from '../../../src/client/rollback/describe-rollback.js';
import { planNextCommands } from '../../../src/client/rollback/plan-next-commands.js';
import { quoteWord } from '../../../src/client/rollback/quote-word.js';
import type { RollbackStanding } from '../../../src/contracts/rollback.js';

const web: RollbackStanding = { name: 'web', from: 5, to: 3, version: 6, state: 'Complete' };
const db: RollbackStanding = {
  name: 'db',
  from: 4,
  to: 2,
  version: 5,
  state: 'Failed',
  reason: 'it made no progress',
};
const cache: RollbackStanding = { name: 'cache', from: 2, to: 1, state: 'Untouched' };

describe('a group of which one has failed', () => {
  test('on to where they were to go, or back to where they were, the last one first', () => {
    expect(planNextCommands([web, db, cache], () => true)).toEqual({
      goOn: ['dc/db@2', 'dc/cache@1'],
      goBack: ['dc/db@4', 'dc/web@5'],
      stuck: [],
    });
  });

  test('a version that was never complete is no way back', () => {
    const next = planNextCommands([web, db, cache], (name) => name === 'db');
    expect(next.goBack).toEqual(['dc/db@4']);
    expect(next.stuck).toEqual([web]);
  });

  test('one that was refused before it was written to is not touched', () => {
    const refused: RollbackStanding = { ...cache, state: 'Failed', reason: 'it has changed' };
    expect(planNextCommands([refused], () => true)).toEqual({
      goOn: ['dc/cache@1'],
      goBack: [],
      stuck: [],
    });
  });

  test('the commands in full', () => {
    const next = planNextCommands([web, db, cache], (name) => name === 'db');
    const lines = renderNextCommands(next, (which, words) => `${which} ${words.join(' ')}`);
    expect(lines.map((line) => paintLine(line, { colour: false }))).toEqual([
      'To go on:    goOn dc/db@2 dc/cache@1',
      'To go back:  goBack dc/db@4',
      "dc/web can't go back to version 5, which was never complete",
    ]);
  });
});

test.each<[RollbackStanding, string]>([
  [web, 'dc/web has gone back from version 5 to version 3, as version 6'],
  [
    { ...web, state: 'Running' },
    'dc/web is on its way back from version 5 to version 3, as version 6',
  ],
  [
    db,
    'dc/db failed on its way back from version 4 to version 2, as version 5: it made no progress',
  ],
  [
    { ...cache, state: 'Failed', reason: 'it has changed' },
    'dc/cache could not go back from version 2 to version 1, and was left as it was: it has changed',
  ],
  [cache, 'dc/cache was left as it was, at version 2'],
])('where it stands: %j', (standing, sentence) => {
  expect(describeStanding(standing)).toBe(sentence);
});

test.each([
  ['dc/web@3', 'dc/web@3'],
  ['orders get lost', "'orders get lost'"],
  ["it's late", String.raw`'it'\''s late'`],
  ['$HOME', "'$HOME'"],
  ['', "''"],
])('a shell reads %s back', (word, quoted) => {
  expect(quoteWord(word)).toBe(quoted);
});
