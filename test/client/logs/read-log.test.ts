import { describe, expect, test } from '@jest/globals';

import { readLog, type LogOutcome } from '../../../src/client/logs/read-log.js';
import { ApiError, UnreachableError } from '../../../src/kubernetes/api-error.js';
import type { LogOptions } from '../../../src/kubernetes/client.js';

/** What one stream sends: lines, then an end, an error, or nothing more until it is cut. */
type Step = readonly (string | Error | typeof open | (() => void))[];

const open = Symbol('open');

class ScriptedLog {
  readonly asked: Omit<LogOptions, 'signal'>[] = [];

  constructor(private readonly steps: readonly Step[]) {}

  async *readLog(
    _namespace: string,
    _pod: string,
    { signal, ...options }: LogOptions = {},
  ): AsyncGenerator<string> {
    const step = this.steps[Math.min(this.asked.length, this.steps.length - 1)] ?? [];
    this.asked.push(options);
    for (const item of step) {
      if (item instanceof Error) throw item;
      if (typeof item === 'function') item();
      else if (item === open) {
        await new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            reject(new DOMException('cut', 'AbortError'));
          });
        });
      } else yield item;
    }
  }
}

const line = (second: number, text: string): string => `2026-01-01T00:00:0${second}.5Z ${text}`;

interface Reading {
  readonly outcome: LogOutcome;
  readonly texts: readonly string[];
  readonly asked: ScriptedLog['asked'];
}

async function read(
  steps: readonly Step[],
  more: { ended?: AbortController; tail?: number } = {},
): Promise<Reading> {
  const client = new ScriptedLog(steps);
  const texts: string[] = [];
  const outcome = await readLog(
    {
      client,
      namespace: 'shop',
      pod: 'web-1-hook-pre',
      container: 'lifecycle',
      tail: more.tail,
      ended: more.ended?.signal,
      signal: new AbortController().signal,
    },
    ({ text }) => {
      texts.push(text);
      return Promise.resolve();
    },
  );
  return { outcome, texts, asked: client.asked };
}

const broken = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
const silent = Object.assign(new Error('Body Timeout Error'), { code: 'UND_ERR_BODY_TIMEOUT' });
const late = new UnreachableError(
  'https://x',
  Object.assign(new Error('Headers Timeout Error'), { code: 'UND_ERR_HEADERS_TIMEOUT' }),
);
const waiting = new ApiError(400, 'BadRequest', 'container "x" is waiting to start');
const noNode = new ApiError(500, 'InternalError', 'dial tcp 10.0.0.1:10250: connection refused');

describe('what is there', () => {
  test('is read once', async () => {
    const { outcome, texts, asked } = await read([[line(1, 'a'), line(2, 'b')]], { tail: 5 });
    expect([outcome.kind, texts]).toEqual(['read', ['a', 'b']]);
    expect(asked).toEqual([
      { container: 'lifecycle', tailLines: 5, follow: false, timestamps: true },
    ]);
  });

  test('cannot be read where the node has words of its own in its place', async () => {
    const { outcome, texts } = await read([['unable to retrieve container logs\u0007 for x']]);
    expect(texts).toEqual([]);
    expect(outcome).toEqual({
      kind: 'unreadable',
      why: 'unable to retrieve container logs  for x',
    });
  });

  test.each<[string, Error, object]>([
    ['is gone', new ApiError(404, 'NotFound', 'no pod'), { kind: 'gone' }],
    ['has not begun', waiting, { kind: 'unreadable', why: waiting.message }],
    ['is on a node without an answer', noNode, { kind: 'unreadable', why: noNode.message }],
  ])('of a pod that %s is an answer', async (_what, error, outcome) => {
    const { outcome: found, asked } = await read([[error]]);
    expect(found).toEqual(outcome);
    expect(asked).toHaveLength(1);
  });

  test('needs a right of its own', async () => {
    await expect(read([[new ApiError(403, 'Forbidden', 'no')]])).rejects.toMatchObject({
      message: 'you may not read logs in namespace shop: that takes the right to get pods/log',
      exitCode: 2,
    });
  });

  test('can not be read from a cluster that is away', async () => {
    await expect(read([[new UnreachableError('https://x', broken)]])).rejects.toThrow(/reached/);
  });
});

describe('a log that is followed', () => {
  test('is read to the pod’s end, and once more after it', async () => {
    const ended = new AbortController();
    const end = (): void => {
      ended.abort();
    };
    const { outcome, texts, asked } = await read(
      [
        [line(1, 'a'), line(2, 'b'), end],
        [line(2, 'b'), line(2, 'c')],
      ],
      { ended, tail: 2 },
    );
    expect([outcome.kind, texts]).toEqual(['read', ['a', 'b', 'c']]);
    const common = { container: 'lifecycle', timestamps: true };
    expect(asked).toEqual([
      { ...common, tailLines: 2, follow: true },
      { ...common, sinceTime: '2026-01-01T00:00:02Z', follow: false },
    ]);
  });

  test('is told apart from what the node says when it has removed the container', async () => {
    const ended = new AbortController();
    const end = (): void => {
      ended.abort();
    };
    const removed = 'unable to retrieve container logs for containerd://1';
    const steps = [['failed to watch', line(1, 'a'), end], [removed]];
    const { outcome, texts } = await read(steps, { ended });
    expect(texts).toEqual(['a']);
    expect(outcome).toEqual({ kind: 'read', remark: removed });
  });

  test('is not told again from what was kept of it when the pod goes before its end was read', async () => {
    const ended = new AbortController();
    const end = (): void => {
      ended.abort();
    };
    const lost = new ApiError(404, 'NotFound', 'no pod');
    const { outcome, texts } = await read([[line(1, 'a'), end], [lost]], { ended });
    expect(texts).toEqual(['a']);
    expect(outcome).toEqual({ kind: 'read', remark: 'the pod is gone' });
  });

  test('goes on where it broke, without a line twice or missing', async () => {
    const ended = new AbortController();
    const end = (): void => {
      ended.abort();
    };
    const { texts, asked } = await read(
      [
        [line(1, 'a'), broken],
        [late],
        [line(1, 'a'), line(3, 'b'), silent],
        [noNode],
        // Closed by a server that goes down.
        [line(3, 'b')],
        [line(3, 'b'), line(4, 'c'), end, open],
        [line(4, 'c'), line(4, 'd')],
      ],
      { ended },
    );
    expect(texts).toEqual(['a', 'b', 'c', 'd']);
    expect(asked.map(({ follow }) => follow)).toEqual([true, true, true, true, true, true, false]);
  }, 20_000);

  test('may be silent again and again', async () => {
    const ended = new AbortController();
    const end = (): void => {
      ended.abort();
    };
    const silences = Array.from({ length: 8 }, (_, index): Step => [index % 2 > 0 ? late : silent]);
    const { outcome, texts } = await read([...silences, [line(1, 'a'), end], []], { ended });
    expect([outcome.kind, texts]).toEqual(['read', ['a']]);
  });

  test('waits for the container to begin', async () => {
    const ended = new AbortController();
    const end = (): void => {
      ended.abort();
    };
    const { texts } = await read([[waiting], [waiting], [line(1, 'a'), end], []], { ended });
    expect(texts).toEqual(['a']);
  });

  test('of a pod that has ended without having begun is none', async () => {
    const ended = new AbortController();
    ended.abort();
    const { outcome, asked } = await read([[waiting]], { ended });
    expect(outcome).toEqual({ kind: 'unreadable', why: waiting.message });
    expect(asked).toHaveLength(1);
  });

  test('of a node that never answers is given up', async () => {
    const { outcome, asked } = await read([[noNode]], { ended: new AbortController() });
    expect(outcome.kind).toBe('unreadable');
    expect(asked).toHaveLength(5);
  }, 20_000);
});
