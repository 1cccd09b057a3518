import { describe, expect, test } from '@jest/globals';

import { LogPosition } from '../../../src/client/logs/log-position.js';

/** What is taken of some lines, by their texts. */
const take = (position: LogPosition, ...lines: string[]): string[] =>
  lines.flatMap((line) => position.take(line)?.text ?? []);

const at = (time: string, text: string): string => `2026-01-01T00:00:${time}Z ${text}`;

describe('a position in a log', () => {
  test('parts the time of a line from its text', () => {
    const position = new LogPosition();
    expect(position.take(at('05.000000001', 'a b'))).toEqual({
      timestamp: '2026-01-01T00:00:05.000000001Z',
      text: 'a b',
    });
    expect(position.take(at('05.000000002', ''))).toMatchObject({ text: '' });
    expect(position.take('2026-01-01T02:00:05.1+02:00 x')).toMatchObject({ text: 'x' });
  });

  test('begins at the beginning, and goes on from the last second', () => {
    const position = new LogPosition();
    expect(position.resume()).toBeUndefined();
    expect(take(position, at('05.1', 'a'), at('06.2', 'b'), at('06.3', 'c'))).toHaveLength(3);
    expect(position.resume()).toBe('2026-01-01T00:00:06Z');
    expect(take(position, at('06.2', 'b'), at('06.3', 'c'), at('06.4', 'd'))).toEqual(['d']);
    expect(position.resume()).toBe('2026-01-01T00:00:06Z');
    const again = [at('06.2', 'b'), at('06.3', 'c'), at('06.4', 'd'), at('07.1', 'e')];
    expect(take(position, ...again)).toEqual(['e']);
    expect(position.resume()).toBe('2026-01-01T00:00:07Z');
  });

  test('takes equal lines of one moment for as many as there are', () => {
    const position = new LogPosition();
    const same = at('05.1', 'tick');
    expect(take(position, same, same)).toHaveLength(2);
    position.resume();
    expect(take(position, same, same, same)).toEqual(['tick']);
  });

  test('loses none that are out of order', () => {
    const position = new LogPosition();
    // What is written to stdout and to stderr may overtake each other.
    const lines = [at('05.9', 'a'), at('06.1', 'b'), at('05.95', 'c'), at('06.0', 'd')];
    expect(take(position, ...lines)).toEqual(['a', 'b', 'c', 'd']);
    expect(position.resume()).toBe('2026-01-01T00:00:06Z');
    // The server leaves out what was before that second.
    expect(take(position, at('06.1', 'b'), at('06.0', 'd'), at('06.2', 'e'))).toEqual(['e']);
  });

  test('skips nothing newer where the node has thrown the old lines away', () => {
    const position = new LogPosition();
    expect(take(position, at('05.1', 'a'), at('05.2', 'b'))).toHaveLength(2);
    position.resume();
    expect(take(position, at('06.1', 'c'), at('06.2', 'd'))).toEqual(['c', 'd']);
  });

  test('of the last lines goes on without those before them', () => {
    const position = new LogPosition(true);
    expect(take(position, at('05.3', 'c'), at('05.4', 'd'))).toEqual(['c', 'd']);
    expect(position.resume()).toBe('2026-01-01T00:00:05Z');
    const all = ['a', 'b', 'c', 'd', 'e'].map((text, index) => at(`05.${index + 1}`, text));
    expect(take(position, ...all)).toEqual(['e']);
  });

  test('keeps what the server itself says apart from the lines', () => {
    const position = new LogPosition();
    const remark = 'unable to retrieve container logs for containerd://1';
    expect(position.remark).toBeUndefined();
    expect(take(position, remark, '')).toEqual([]);
    expect([position.hasBegun, position.remark]).toEqual([false, remark]);
    expect(take(position, at('05.1', remark))).toEqual([remark]);
    expect(position.hasBegun).toBe(true);
  });
});
