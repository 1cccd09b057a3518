import { expect, test } from '@jest/globals';

import { span, type Line } from '../../../src/client/output/line.js';
import { LiveScreen } from '../../../src/client/output/live-screen.js';
import { FakeTerminal } from '../support/terminal.js';

const lines = (...texts: string[]): Line[] => texts.map((text) => [span(text)]);

test('each picture takes the place of the one before', () => {
  const terminal = new FakeTerminal(40, 10);
  terminal.write('$ slipway get -w\n');
  const screen = new LiveScreen(terminal, true);
  screen.draw(lines('one', 'two and more', 'three'));
  screen.draw(lines('1', '2'));
  expect(terminal.screen).toBe('$ slipway get -w\n1\n2');
  screen.draw(lines('1', '2', '3', '4'));
  expect(terminal.screen).toBe('$ slipway get -w\n1\n2\n3\n4');
});

test('what stays is printed above what is live', () => {
  const terminal = new FakeTerminal(40, 10);
  const screen = new LiveScreen(terminal, false);
  screen.draw(lines('busy', 'busy'));
  screen.print(['done']);
  screen.draw(lines('busy'));
  screen.draw(lines('busier'));
  expect(terminal.screen).toBe('done\nbusier');
});

test('a line is cut to one row, and what does not fit below is counted', () => {
  const terminal = new FakeTerminal(10, 4);
  const screen = new LiveScreen(terminal, false);
  screen.draw(lines('0123456789', 'b', 'c', 'd', 'e'));
  expect(terminal.screen).toBe('01234567…\nb\n… 3 more…');
});

test('a terminal that became narrower is cleared of the old picture', () => {
  const terminal = new FakeTerminal(20, 10);
  terminal.write('before\n');
  const screen = new LiveScreen(terminal, false);
  screen.draw(lines('0123456789012345', 'b'));
  // The terminal itself breaks the first line into two.
  terminal.columns = 10;
  terminal.lines = ['before', '0123456789', '012345', 'b', ''];
  terminal.write('\n');
  screen.draw(lines('new'));
  expect(terminal.screen).toBe('before\nnew');
});

test('the cursor is hidden while drawing, and given back', () => {
  const terminal = new FakeTerminal(20, 10);
  const screen = new LiveScreen(terminal, false);
  screen.draw(lines('a'));
  expect(terminal.cursorIsHidden).toBe(true);
  screen.close();
  expect(terminal.cursorIsHidden).toBe(false);
  expect(terminal.screen).toBe('a');
});
