import { expect, test } from '@jest/globals';

import { LogPrinter } from '../../../src/client/logs/log-printer.js';
import type { LogSource } from '../../../src/client/logs/log-source.js';

const source: LogSource = {
  pod: 'web-1-hook-pre',
  state: 'Ended',
  isGone: true,
  hasSucceeded: false,
  words: 'failed with exit code 1',
  tail: 'one\ntwo\n',
};

/** A printer, and what comes of it. */
function start(over: { timestamps?: boolean; colour?: boolean } = {}, withPrefix = false) {
  const said = { out: '', remarks: [] as string[] };
  const waiting: (() => void)[] = [];
  let isFull = false;
  const printer = new LogPrinter(
    {
      out: {
        write: (text: string) => {
          said.out += text;
          return !isFull;
        },
        once: (_event, listener) => waiting.push(listener),
      },
      timestamps: false,
      colour: false,
      remark: (sentence) => said.remarks.push(sentence),
      ...over,
    },
    withPrefix,
  );
  const fill = (): void => {
    isFull = true;
  };
  return { printer, said, fill, waiting };
}

const line = { timestamp: '2026-01-01T00:00:05.1Z', text: 'a line' };

test.each([
  [{}, false, 'a line\n'],
  [{}, true, '[web-1-hook-pre] a line\n'],
  [{ timestamps: true }, false, '2026-01-01T00:00:05.1Z a line\n'],
  [{ timestamps: true }, true, '[web-1-hook-pre] 2026-01-01T00:00:05.1Z a line\n'],
  [{ colour: true }, true, '\u001b[2m[web-1-hook-pre]\u001b[0m a line\n'],
])('a line with %j, marked: %j', async (over, withPrefix, expected) => {
  const { printer, said } = start(over, withPrefix);
  await printer.print(source, line);
  expect(said.out).toBe(expected);
});

test('what the server says has no time', async () => {
  const { printer, said } = start({ timestamps: true });
  await printer.print(source, { text: 'no log' });
  expect(said.out).toBe('no log\n');
});

test('the kept end of a log is told to be no more than that', async () => {
  const { printer, said } = start({}, true);
  await printer.printTail(source, 'pod web-1-hook-pre is gone');
  expect(said.remarks).toEqual([
    'pod web-1-hook-pre is gone; it failed with exit code 1, and this is the end of its log:',
  ]);
  expect(said.out).toBe('[web-1-hook-pre] one\n[web-1-hook-pre] two\n');
});

test('where nothing was kept, that is all', async () => {
  const { printer, said } = start();
  const { tail: _none, ...bare } = source;
  await printer.printTail(bare, 'pod web-1-hook-pre is gone');
  await printer.printTail({ ...source, tail: '\n' }, 'pod web-1-hook-pre is gone');
  expect(said).toEqual({
    out: '',
    remarks: ['pod web-1-hook-pre is gone; it failed with exit code 1'],
  });
});

test('a reader who is slow is waited for', async () => {
  const { printer, fill, waiting } = start();
  fill();
  let isDone = false;
  const printing = printer.print(source, line).then(() => {
    isDone = true;
  });
  await Promise.resolve();
  expect([isDone, waiting.length]).toEqual([false, 1]);
  waiting[0]?.();
  await printing;
  expect(isDone).toBe(true);
});
