import { stripVTControlCharacters } from 'node:util';

import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';

import { createProgress, formatSeconds } from '../../../src/client/terminal/progress.js';

class FakeStream {
  text = '';
  readonly columns = 60;
  readonly rows = 20;

  constructor(readonly isTTY: boolean) {}

  write(text: string): void {
    this.text += text;
  }

  /** What a reader of the terminal sees in the end: everything but control sequences. */
  get lines(): readonly string[] {
    return stripVTControlCharacters(this.text).replaceAll('\r', '').split('\n');
  }
}

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
  process.env['TERM'] = 'xterm';
});
afterEach(() => {
  jest.useRealTimers();
});

function lasting(milliseconds: number): () => Promise<void> {
  return () => new Promise((resolve) => setTimeout(resolve, milliseconds));
}

describe('in a pipe', () => {
  test('a quick step is one line, with its time', async () => {
    const stream = new FakeStream(false);
    const step = createProgress(stream).step('etcd', lasting(400));
    await jest.advanceTimersByTimeAsync(400);
    await step;
    expect(stream.text).toBe('✓ etcd (0.4 s)\n');
  });

  test('a slow step is announced, and says every 15 s how far it is', async () => {
    const stream = new FakeStream(false);
    const step = createProgress(stream).step('kwok', async (update) => {
      update('12 packages compiled');
      await lasting(31_000)();
    });
    await jest.advanceTimersByTimeAsync(31_000);
    await step;
    expect(stream.text.split('\n')).toEqual([
      '… kwok',
      '… kwok: 12 packages compiled (15 s)',
      '… kwok: 12 packages compiled (30 s)',
      '✓ kwok (31 s)',
      '',
    ]);
  });

  test('a failed step is marked, and its error goes on', async () => {
    const stream = new FakeStream(false);
    const step = createProgress(stream).step('etcd', () => Promise.reject(new Error('no')));
    await expect(step).rejects.toThrow('no');
    expect(stream.text).toBe('✗ etcd (0.0 s)\n');
  });

  test('nothing is written after the end', async () => {
    const stream = new FakeStream(false);
    await createProgress(stream).step('etcd', () => Promise.resolve());
    await jest.advanceTimersByTimeAsync(60_000);
    expect(stream.text).toBe('✓ etcd (0.0 s)\n');
  });
});

describe('in a terminal', () => {
  test('steps side by side have a live line each, and leave one when they end', async () => {
    const stream = new FakeStream(true);
    const progress = createProgress(stream);
    const both = Promise.all([
      progress.step('etcd', lasting(300)),
      progress.step('temporal', lasting(900)),
    ]);
    await jest.advanceTimersByTimeAsync(250);
    expect(stream.lines.filter((line) => /^\S etcd 0\.2 s/.test(line.trim()))).not.toEqual([]);
    expect(stream.text).toContain('\u001b[2A');
    await jest.advanceTimersByTimeAsync(1_000);
    await both;
    expect(stream.lines.filter((line) => line.includes('✓'))).toEqual([
      expect.stringContaining('✓ etcd (0.3 s)'),
      expect.stringContaining('✓ temporal (0.9 s)'),
    ]);
  });

  test('the cursor is hidden while a step runs and comes back', async () => {
    const stream = new FakeStream(true);
    const step = createProgress(stream).step('etcd', lasting(100));
    await jest.advanceTimersByTimeAsync(50);
    expect(stream.text).toContain('\u001b[?25l');
    expect(stream.text).not.toContain('\u001b[?25h');
    await jest.advanceTimersByTimeAsync(100);
    await step;
    expect(stream.text.endsWith('\u001b[?25h')).toBe(true);
    const length = stream.text.length;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(stream.text).toHaveLength(length);
  });

  test('a note stays above the live lines', async () => {
    const stream = new FakeStream(true);
    const progress = createProgress(stream);
    const step = progress.step('etcd', lasting(500));
    await jest.advanceTimersByTimeAsync(100);
    progress.note('kwok is down');
    await jest.advanceTimersByTimeAsync(500);
    await step;
    const note = stream.lines.findIndex((line) => line.includes('kwok is down'));
    const end = stream.lines.findIndex((line) => line.includes('✓ etcd'));
    expect(note).toBeGreaterThan(-1);
    expect(end).toBeGreaterThan(note);
  });

  test('a long line is cut to one row', async () => {
    const stream = new FakeStream(true);
    const step = createProgress(stream).step('etcd', async (update) => {
      update('x'.repeat(200));
      await lasting(300)();
    });
    await jest.advanceTimersByTimeAsync(200);
    expect(Math.max(...stream.lines.map((line) => line.length))).toBeLessThan(60);
    await jest.advanceTimersByTimeAsync(200);
    await step;
  });
});

test.each([
  [0, '0.0 s'],
  [9_940, '9.9 s'],
  [12_400, '12 s'],
  [185_000, '3 min 5 s'],
])('%d ms is written as %s', (milliseconds, text) => {
  expect(formatSeconds(milliseconds)).toBe(text);
});
