import { setTimeout as delay } from 'node:timers/promises';

import { CommandFailure } from '../failure.js';

const lookAgainAfterMs = 100;

/** For what a server does a moment after it was asked and tells nobody: looks until it is so. */
export async function waitUntil(
  what: string,
  withinMs: number,
  isSo: () => Promise<boolean>,
): Promise<void> {
  const deadlineMs = Date.now() + withinMs;
  while (!(await isSo())) {
    if (Date.now() > deadlineMs) {
      throw new CommandFailure(`${what} did not happen within ${withinMs / 1000} s`);
    }
    await delay(lookAgainAfterMs);
  }
}
