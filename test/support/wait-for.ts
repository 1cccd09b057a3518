import { setTimeout as delay } from 'node:timers/promises';

/** Looks until there is something, and says what was missing when it never came. */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  withinMs = 60_000,
): Promise<T> {
  const untilMs = Date.now() + withinMs;
  let lastError: unknown;
  while (Date.now() < untilMs) {
    try {
      const found = await look();
      if (found !== undefined) return found;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    await delay(50);
  }
  throw new Error(`waited ${withinMs / 1_000} s in vain: ${what}`, { cause: lastError });
}
