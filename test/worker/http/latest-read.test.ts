import { expect, test } from '@jest/globals';

import { LatestRead } from '../../../src/worker/http/notifications/latest-read.js';

/** Readings that are answered by hand, each with its number. */
class Readings {
  readonly ends: { answer: () => void; fail: () => void }[] = [];
  readonly latest = new LatestRead(
    () =>
      new Promise<number>((resolve, reject) => {
        const number = this.ends.length + 1;
        this.ends.push({
          answer: () => {
            resolve(number);
          },
          fail: () => {
            reject(new Error(`reading ${number}`));
          },
        });
      }),
  );
}

test('who asks while a reading is under way gets the next, together with the others', async () => {
  const { latest, ends } = new Readings();
  const first = latest.get();
  const others = [latest.get(), latest.get()];
  expect(ends).toHaveLength(1);
  ends[0]?.answer();
  expect(await first).toBe(1);
  await Promise.resolve();
  const last = latest.get();
  expect(ends).toHaveLength(2);
  ends[1]?.answer();
  expect(await Promise.all(others)).toEqual([2, 2]);
  ends[2]?.answer();
  expect(await last).toBe(3);
  expect(ends).toHaveLength(3);
});

test('a reading that fails is nobody else’s', async () => {
  const { latest, ends } = new Readings();
  const first = latest.get();
  const second = latest.get();
  ends[0]?.fail();
  await expect(first).rejects.toThrow('reading 1');
  await Promise.resolve();
  ends[1]?.answer();
  expect(await second).toBe(2);
});
