import { expect, test } from '@jest/globals';

import { canRedraw, wantsColour } from '../../../src/client/output/terminal-abilities.js';

const terminal = { isTTY: true };
const pipe = {};

test.each([
  ['a terminal', terminal, {}, true],
  ['a pipe', pipe, {}, false],
  ['NO_COLOR', terminal, { NO_COLOR: '1' }, false],
  ['an empty NO_COLOR', terminal, { NO_COLOR: '' }, true],
  ['NO_COLOR against FORCE_COLOR', terminal, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  ['FORCE_COLOR in a pipe', pipe, { FORCE_COLOR: '1' }, true],
  ['FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, false],
  ['a dumb terminal', terminal, { TERM: 'dumb' }, false],
])('colour: %s', (_title, stream, environment, expected) => {
  expect(wantsColour(stream, environment)).toBe(expected);
});

test('lines are drawn over in a terminal only, whatever its colours', () => {
  expect(canRedraw(terminal, { NO_COLOR: '1' })).toBe(true);
  expect(canRedraw(terminal, { TERM: 'dumb' })).toBe(false);
  expect(canRedraw(pipe, { FORCE_COLOR: '1' })).toBe(false);
});
