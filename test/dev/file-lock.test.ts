import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { withFileLock } from '../../src/dev/file-lock.js';

let folder = '';
let path = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-lock-'));
  path = join(folder, 'deep', 'lock');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('only one holds the lock at a time, and each gets its turn', async () => {
  let holders = 0;
  let most = 0;
  const waited: number[] = [];
  const work = (index: number) => () =>
    withFileLock(path, { onWait: () => waited.push(index) }, async () => {
      holders += 1;
      most = Math.max(most, holders);
      await setImmediate();
      holders -= 1;
      return index;
    });
  const results = await Promise.all([0, 1, 2, 3].map((index) => work(index)()));
  expect(results).toEqual([0, 1, 2, 3]);
  expect(most).toBe(1);
  expect(waited).toEqual([1, 2, 3]);
});

test('the lock goes when the work fails', async () => {
  const work = withFileLock(path, {}, () => Promise.reject(new Error('broken')));
  await expect(work).rejects.toThrow('broken');
  expect(readdirSync(join(folder, 'deep'))).toEqual([]);
});

test.each([
  ['of a process that has ended', JSON.stringify({ pid: 999_999_999, identity: 'gone' })],
  ['of an earlier process with our pid', JSON.stringify({ pid: process.pid, identity: 'earlier' })],
  ['that a power failure left empty', ''],
])('a lock %s is taken over', async (_title, content) => {
  await withFileLock(path, {}, () => Promise.resolve());
  writeFileSync(path, content);
  const waits: number[] = [];
  const result = await withFileLock(path, { onWait: ({ pid }) => waits.push(pid) }, () =>
    Promise.resolve(existsSync(path)),
  );
  expect(result).toBe(true);
  expect(waits).toEqual([]);
  expect(readdirSync(join(folder, 'deep'))).toEqual([]);
});

test('of several that find a dead lock, one at a time takes it', async () => {
  await withFileLock(path, {}, () => Promise.resolve());
  writeFileSync(path, JSON.stringify({ pid: 999_999_999, identity: 'gone' }));
  let holders = 0;
  const work = (): Promise<void> =>
    withFileLock(path, {}, async () => {
      holders += 1;
      expect(holders).toBe(1);
      await setImmediate();
      holders -= 1;
    });
  await Promise.all([work(), work(), work()]);
});

test('waiting can be given up', async () => {
  const controller = new AbortController();
  await withFileLock(path, {}, async () => {
    const second = withFileLock(
      path,
      {
        signal: controller.signal,
        onWait: () => {
          controller.abort(new Error('enough'));
        },
      },
      () => Promise.resolve(),
    );
    await expect(second).rejects.toThrow();
    expect(existsSync(path)).toBe(true);
  });
});
