import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { describe, expect, test } from '@jest/globals';

import {
  isSameProcess,
  parseProcStat,
  parsePs,
  processIdentity,
} from '../../src/dev/process-identity.js';

describe('a process of now', () => {
  test('keeps its identity while it runs, and has none once it has ended', async () => {
    const child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    const identity = processIdentity(child.pid!);
    expect(identity).toBeDefined();
    expect(isSameProcess(child.pid!, identity!)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(processIdentity(child.pid!)).toBeUndefined();
  });

  test('differs from another with the same pid', () => {
    expect(isSameProcess(process.pid, 'boot/12345')).toBe(false);
  });
});

describe('/proc/<pid>/stat', () => {
  const fields = (state: string): string =>
    `42 (a) b (c) ${state} 1 42 42 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 987654 1000 10`;

  test('is read behind a name with spaces and parentheses', () => {
    expect(parseProcStat(fields('S'))).toBe('987654');
  });

  test('of a zombie tells that it has ended', () => {
    expect(parseProcStat(fields('Z'))).toBeUndefined();
  });
});

describe('ps', () => {
  test('tells when a process has started', () => {
    expect(parsePs('Ss   Mon Nov 16 04:24:55 2026\n')).toBe('Mon Nov 16 04:24:55 2026');
  });

  test.each(['', 'Z+  Mon Nov 16 04:24:55 2026'])('"%s" is no running process', (answer) => {
    expect(parsePs(answer)).toBeUndefined();
  });
});
