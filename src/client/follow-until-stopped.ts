import { CommandFailure } from './failure.js';
import { Interrupted, withInterrupt } from './interrupt.js';
import { formatDuration } from './output/duration.js';

/**
 * Follows something until it is over, Ctrl-C is pressed or the time is up, which end the following alone: what is
 * followed goes on, and the sentence says so.
 *
 * @param followed Example: what was applied
 */
export async function followUntilStopped<T>(
  followed: string,
  timeoutMs: number | undefined,
  follow: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // When one of several can't be followed any more, the others are not followed either.
  const over = new AbortController();
  // Node forgets an `AbortSignal.timeout` that only `AbortSignal.any` knows, so this has a timer of its own.
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          over.abort(new DOMException('the time is up', 'TimeoutError'));
        }, timeoutMs);
  try {
    return await withInterrupt((interrupt) => follow(AbortSignal.any([interrupt, over.signal])));
  } catch (error) {
    throw explainStop(error, followed, timeoutMs);
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

function explainStop(error: unknown, followed: string, timeoutMs: number | undefined): unknown {
  const goesOn = `${followed} goes on without us`;
  if (error instanceof Interrupted) {
    return new CommandFailure(`no longer following; ${goesOn}`, error.exitCode);
  }
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new CommandFailure(
      `--timeout: not complete after ${formatDuration(timeoutMs ?? 0)}; ${goesOn}`,
    );
  }
  return error;
}
