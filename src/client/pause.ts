import { setTimeout } from 'node:timers/promises';

/** Waits, but not longer than until the signal aborts; that is no error. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(milliseconds, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
