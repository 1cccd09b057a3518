import { childrenOf, isSameProcess, type KnownProcess } from '../process-identity.js';
import type { PartRecord } from './state.js';
import { NotInTime, waitUntil } from './wait-until.js';

const politeMs = 15_000;
const killedMs = 5_000;

export interface StopOptions {
  readonly patienceMs?: number;
  /** Asks all that it has started to end as well, and waits for that. */
  readonly wholeGroup?: boolean;
}

/** Ends a process: asked first, made to when it doesn't in time. */
export async function stopPart(
  { pid, identity }: PartRecord,
  { patienceMs = politeMs, wholeGroup = false }: StopOptions = {},
): Promise<void> {
  if (!isSameProcess(pid, identity)) return;
  const processes = [{ pid, identity }, ...(wholeGroup ? childrenOf(pid) : [])];
  send(wholeGroup ? -pid : pid, 'SIGTERM');
  if (await haveEnded(processes, patienceMs)) return;
  // Each part leads a group of its own: whatever it has started goes with it.
  send(-pid, 'SIGKILL');
  if (await haveEnded(processes, killedMs)) return;
  throw new Error(`process ${pid} does not end, not even when killed`);
}

async function haveEnded(processes: readonly KnownProcess[], withinMs: number): Promise<boolean> {
  const isLeft = (): boolean => processes.some(({ pid, identity }) => isSameProcess(pid, identity));
  try {
    await waitUntil(() => Promise.resolve(isLeft() ? undefined : true), { withinMs });
    return true;
  } catch (error) {
    if (error instanceof NotInTime) return false;
    throw error;
  }
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
