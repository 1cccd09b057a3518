import { createHash } from 'node:crypto';

import type { RegistryCredentials } from './credentials.js';

/** Remembers what a registry wanted to hear, for as long as it is likely to be good. */
export interface Authorizations {
  find(key: string): string | undefined;
  /** @param lastsMs Infinity where it does not age. */
  keep(key: string, authorization: string, lastsMs: number): void;
  forget(key: string): void;
}

const mostKept = 1_000;
/** A token is not used to its last moment: it has to be good when it arrives. */
const usedShare = 0.9;

export function createAuthorizations(now: () => number = Date.now): Authorizations {
  const kept = new Map<string, { readonly authorization: string; readonly untilMs: number }>();
  return {
    find(key) {
      const found = kept.get(key);
      if (found !== undefined && found.untilMs > now()) return found.authorization;
      kept.delete(key);
      return undefined;
    },
    keep(key, authorization, lastsMs) {
      kept.delete(key);
      for (const [oldest] of kept) {
        if (kept.size < mostKept) break;
        kept.delete(oldest);
      }
      kept.set(key, { authorization, untilMs: now() + lastsMs * usedShare });
    },
    forget(key) {
      kept.delete(key);
    },
  };
}

/** One for each repository and each credentials, which are not in it themselves. */
export function authorizationKey(
  origin: string,
  repository: string,
  credentials: RegistryCredentials | undefined,
): string {
  const who = credentials === undefined ? '' : JSON.stringify(credentials);
  return [origin, repository, createHash('sha256').update(who).digest('hex')].join(' ');
}
