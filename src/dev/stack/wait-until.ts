import { setTimeout as delay } from 'node:timers/promises';

const pauseMs = 100;

export interface Attempt {
  readonly withinMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called between tries; what it throws ends the waiting. */
  readonly check?: () => void;
}

/** Nobody answered in time; the cause is what the last try said. */
export class NotInTime extends Error {
  override readonly name = 'NotInTime';
}

/** Asks again and again until the question is answered with something other than undefined. */
export async function waitUntil<T>(
  ask: () => Promise<T | undefined>,
  { withinMs, signal, check }: Attempt,
): Promise<T> {
  const deadlineMs = Date.now() + withinMs;
  let lastFailure: unknown;
  for (;;) {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      lastFailure = error;
    }
    signal?.throwIfAborted();
    check?.();
    if (Date.now() >= deadlineMs) throw new NotInTime('no answer in time', { cause: lastFailure });
    await delay(pauseMs, undefined, { signal });
  }
}
