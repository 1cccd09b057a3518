import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { isSameProcess, processIdentity } from './process-identity.js';

const pollMs = 200;

export interface LockOwner {
  readonly pid: number;
  readonly identity: string;
}

export interface LockOptions {
  /** Told once, when the lock turns out to be another's. */
  readonly onWait?: (owner: LockOwner) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `work` while this process alone holds the lock file. A lock whose owner has died is taken
 * over, so a kill at any moment blocks nobody.
 */
export async function withFileLock<T>(
  path: string,
  options: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  mkdirSync(dirname(path), { recursive: true });
  let told = false;
  while (!tryLock(path)) {
    const owner = readOwner(path);
    if (owner === undefined) continue;
    if (!told) options.onWait?.(owner);
    told = true;
    await delay(pollMs, undefined, { signal: options.signal });
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function tryLock(path: string): boolean {
  if (createOwned(path)) return true;
  const owner = readOwner(path);
  if (owner === undefined || isSameProcess(owner.pid, owner.identity)) return false;
  return takeOver(path, owner);
}

/**
 * Only one process at a time may judge and remove a dead owner's lock: of two that see it dead at
 * once, the slower would otherwise remove the lock that the faster has just made.
 */
function takeOver(path: string, dead: LockOwner): boolean {
  const guard = `${path}.takeover`;
  if (!createOwned(guard)) {
    const guardian = readOwner(guard);
    if (guardian !== undefined && !isSameProcess(guardian.pid, guardian.identity)) {
      rmSync(guard, { force: true });
    }
    return false;
  }
  try {
    if (readOwner(path)?.identity === dead.identity) rmSync(path, { force: true });
    return createOwned(path);
  } finally {
    rmSync(guard, { force: true });
  }
}

/** A hard link appears with its content at once, and fails when the name is taken. */
function createOwned(path: string): boolean {
  const draft = `${path}.${randomUUID()}`;
  const owner: LockOwner = { pid: process.pid, identity: processIdentity(process.pid) ?? '' };
  writeFileSync(draft, JSON.stringify(owner), { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readOwner(path: string): LockOwner | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockOwner;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    // Written whole or not at all, so only a power failure leaves it unreadable: its owner is gone.
    if (error instanceof SyntaxError) return { pid: -1, identity: 'unreadable' };
    throw error;
  }
}
