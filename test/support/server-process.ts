import type { PartCommand } from '../../src/dev/stack/commands.js';
import { lastLines } from '../../src/dev/stack/part-log.js';
import { spawnDetached } from '../../src/dev/stack/spawn-detached.js';
import { stopPart } from '../../src/dev/stack/stop-part.js';
import { waitUntil } from '../../src/dev/stack/wait-until.js';

export interface ServerProcess {
  readonly pid: number;
  stop(): Promise<void>;
}

export interface ServerStart {
  readonly name: string;
  readonly command: PartCommand;
  /** What it gets of this process' environment. */
  readonly inherited?: Readonly<Record<string, string>>;
  readonly log: string;
  /** Asked with what it has written so far; an error means: not yet. */
  isReady(output: string): Promise<boolean>;
  readonly signal?: AbortSignal | undefined;
}

const readyWithinMs = 60_000;
const shownLines = 5;

/** Starts a server beside a stack and waits until it is ready; one that never is, is stopped again. */
export async function startServerProcess(start: ServerStart): Promise<ServerProcess> {
  const { name, command, log, signal } = start;
  const inherited = start.inherited ?? { PATH: process.env['PATH'] ?? '' };
  const child = await spawnDetached(command, inherited, log);
  const { pid, identity } = child;
  const stop = (): Promise<void> => stopPart({ pid, identity, fingerprint: '' });
  try {
    await waitUntil(async () => ((await start.isReady(child.output())) ? true : undefined), {
      withinMs: readyWithinMs,
      signal,
      check: () => {
        const end = child.ended();
        if (end !== undefined) throw new Error(`it ended with ${end}`);
      },
    });
  } catch (error) {
    await stop();
    signal?.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    const said = lastLines(child.output(), shownLines).join('\n');
    throw new Error(`${name} did not come up: ${why}; its log is ${log}\n${said}`, {
      cause: error,
    });
  }
  return { pid, stop };
}
