import { describe, expect, test } from '@jest/globals';

import { NotInTime, waitUntil } from '../../../src/dev/stack/wait-until.js';

describe('waiting', () => {
  test('ends with the first answer', async () => {
    let tries = 0;
    const ask = (): Promise<number | undefined> => {
      tries += 1;
      if (tries === 1) throw new Error('not yet');
      return Promise.resolve(tries === 3 ? 42 : undefined);
    };
    expect(await waitUntil(ask, { withinMs: 5_000 })).toBe(42);
  });

  test('ends at the deadline, with the last reason', async () => {
    const reason = new Error('refused');
    const waiting = waitUntil(() => Promise.reject(reason), { withinMs: 150 });
    await expect(waiting).rejects.toThrow(NotInTime);
    await expect(waiting).rejects.toMatchObject({ cause: reason });
  });

  test('ends when it is called off', async () => {
    const controller = new AbortController();
    const waiting = waitUntil(() => Promise.resolve(undefined), {
      withinMs: 60_000,
      signal: controller.signal,
    });
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow();
  });
});
