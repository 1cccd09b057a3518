import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

import type { GoCommand } from './go-command.js';

/** Enough of the end of a build's output to find the reason of its failure in. */
const keptLines = 200;
const killAfterMs = 5_000;

export interface GoRun {
  readonly succeeded: boolean;
  /** The last lines of what go said. */
  readonly output: string;
  /** Those of them that are its answer, without what it said on the way. */
  readonly answer: string;
}

/** Runs go with its whole output at the end of a log file, and each line of it given to `onLine`. */
export async function runGo(
  go: string,
  command: GoCommand,
  logPath: string,
  onLine: (line: string) => void,
  signal?: AbortSignal,
): Promise<GoRun> {
  signal?.throwIfAborted();
  mkdirSync(dirname(logPath), { recursive: true });
  const log = createWriteStream(logPath, { flags: 'a' });
  log.write(`${go} ${command.arguments.join(' ')}\n`);
  // A group of its own, so that its compilers and linkers can be ended with it.
  const child = spawn(go, command.arguments, {
    cwd: command.folder,
    env: command.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const lines: { readonly line: string; readonly isAnswer: boolean }[] = [];
  const take = (line: string, isAnswer: boolean): void => {
    log.write(`${line}\n`);
    lines.push({ line, isAnswer });
    if (lines.length > keptLines) lines.shift();
    onLine(line);
  };
  createInterface(child.stdout).on('line', (line) => {
    take(line, true);
  });
  createInterface(child.stderr).on('line', (line) => {
    take(line, false);
  });
  const stop = (): void => {
    endGroup(child.pid);
  };
  signal?.addEventListener('abort', stop);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject).on('close', resolve);
    });
    signal?.throwIfAborted();
    return {
      succeeded: code === 0,
      output: join(lines),
      answer: join(lines.filter(({ isAnswer }) => isAnswer)),
    };
  } finally {
    signal?.removeEventListener('abort', stop);
    await new Promise<void>((resolve) => log.end(resolve));
  }
}

const join = (lines: readonly { readonly line: string }[]): string =>
  lines.map(({ line }) => line).join('\n');

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  const send = (name: NodeJS.Signals): void => {
    try {
      process.kill(-pid, name);
    } catch {
      // It has ended in the meantime.
    }
  };
  send('SIGTERM');
  setTimeout(send, killAfterMs, 'SIGKILL').unref();
}
