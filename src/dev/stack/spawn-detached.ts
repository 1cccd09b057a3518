import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';

import { processIdentity } from '../process-identity.js';
import type { PartCommand } from './commands.js';
import { openLog, readLog } from './part-log.js';

export interface DetachedProcess {
  readonly pid: number;
  readonly identity: string;
  /** How it ended, in words; undefined while it runs. */
  ended(): string | undefined;
  /** What this process, and none before it, has written. */
  output(): string;
}

/**
 * Starts a process that goes on when this one ends and that a Ctrl-C in the terminal doesn't reach.
 * What it writes, and the files it creates, are for its owner only.
 */
export async function spawnDetached(
  command: PartCommand,
  inherited: Readonly<Record<string, string>>,
  logPath: string,
): Promise<DetachedProcess> {
  const { descriptor, offset } = openLog(logPath);
  const usual = process.umask(0o077);
  try {
    const child = spawn(command.program, command.arguments, {
      env: { ...inherited, ...command.environment },
      stdio: ['ignore', descriptor, descriptor],
      detached: true,
    });
    let end: string | undefined;
    child.once('exit', (code, signal) => {
      end = signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`;
    });
    const { pid } = child;
    if (pid === undefined) {
      const [error] = (await once(child, 'error')) as [Error];
      throw error;
    }
    child.unref();
    return {
      pid,
      identity: processIdentity(pid) ?? 'ended at once',
      ended: () => end,
      output: () => readLog(logPath, offset),
    };
  } finally {
    process.umask(usual);
    closeSync(descriptor);
  }
}
