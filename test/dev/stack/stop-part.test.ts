import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { isSameProcess } from '../../../src/dev/process-identity.js';
import { spawnDetached } from '../../../src/dev/stack/spawn-detached.js';
import { stopPart } from '../../../src/dev/stack/stop-part.js';
import { waitUntil } from '../../../src/dev/stack/wait-until.js';

let folder = '';
let log = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-part-'));
  log = join(folder, 'part.log');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const start = (script: string): ReturnType<typeof spawnDetached> =>
  spawnDetached(
    { program: '/bin/sh', arguments: ['-c', script], environment: { WORD: 'hello' } },
    { PATH: process.env['PATH']! },
    log,
  );

describe('a part', () => {
  test('writes to its log and is told apart from those before it', async () => {
    const first = await start('echo first');
    await waitUntil(() => Promise.resolve(first.ended()), { withinMs: 5_000 });
    const second = await start('echo $WORD');
    await waitUntil(() => Promise.resolve(second.ended()), { withinMs: 5_000 });
    expect(second.ended()).toBe('exit code 0');
    expect(second.output()).toBe('hello\n');
    expect(readFileSync(log, 'utf8')).toBe('first\nhello\n');
  });

  test('ends when asked', async () => {
    const part = await start('exec sleep 60');
    expect(isSameProcess(part.pid, part.identity)).toBe(true);
    await stopPart({ ...part, fingerprint: '' });
    expect(isSameProcess(part.pid, part.identity)).toBe(false);
  });

  test('is made to end when it does not, with whatever it has started', async () => {
    const part = await start('trap "" TERM; sleep 60 & echo $!; wait; wait');
    const child = await waitUntil(() => Promise.resolve(part.output().trim() || undefined), {
      withinMs: 5_000,
    });
    await stopPart({ ...part, fingerprint: '' }, { patienceMs: 300 });
    const end = await waitUntil(() => Promise.resolve(part.ended()), { withinMs: 5_000 });
    expect(end).toBe('signal SIGKILL');
    await waitUntil(() => Promise.resolve(isGone(Number(child)) ? true : undefined), {
      withinMs: 5_000,
    });
  });

  test('of several processes ends when all of them are asked, though the first passes nothing on', async () => {
    const inner = 'trap "exit 0" TERM; echo up; while :; do sleep 0.1; done';
    const part = await start(`(${inner}) & trap "" TERM; wait; wait`);
    await waitUntil(() => Promise.resolve(part.output().trim() || undefined), { withinMs: 5_000 });
    await stopPart({ ...part, fingerprint: '' }, { wholeGroup: true });
    expect(part.ended() ?? 'exit code 0').toBe('exit code 0');
  });

  test('of several processes has ended when the last of them has', async () => {
    const inner = 'trap "sleep 1; exit 0" TERM; echo up $$; while :; do sleep 0.1; done';
    const part = await start(`sh -c '${inner}' & trap "exit 0" TERM; wait`);
    const text = await waitUntil(() => Promise.resolve(part.output().trim() || undefined), {
      withinMs: 5_000,
    });
    await stopPart({ ...part, fingerprint: '' }, { wholeGroup: true });
    expect(isGone(Number(text.split(' ')[1]))).toBe(true);
  });

  test('with a recycled pid is left alone', async () => {
    const part = await start('exec sleep 60');
    await stopPart({ ...part, identity: 'another', fingerprint: '' });
    expect(isSameProcess(part.pid, part.identity)).toBe(true);
    await stopPart({ ...part, fingerprint: '' });
  });

  test('that can not be started says why', async () => {
    const missing = spawnDetached(
      { program: join(folder, 'nothing'), arguments: [], environment: {} },
      {},
      log,
    );
    await expect(missing).rejects.toThrow('ENOENT');
  });
});

function isGone(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return true;
  }
}
