import { homedir } from 'node:os';
import { join } from 'node:path';

import { tools, type RecipeName, type AnyToolName } from './tools.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where built binaries are kept, for all clones of one user. */
export function cacheFolder(environment: Environment): string {
  const own = environment['SLIPWAY_CACHE'] ?? '';
  if (own !== '') return own;
  const shared = environment['XDG_CACHE_HOME'] ?? '';
  return join(shared === '' ? join(environment['HOME'] ?? homedir(), '.cache') : shared, 'slipway');
}

/** Versions and platforms live side by side, so a change of either never runs the wrong binary. */
export function cachedToolPath(
  cache: string,
  name: AnyToolName,
  platform: string = process.platform,
  architecture: string = process.arch,
): string {
  return join(cache, 'tools', name, tools[name].version, `${platform}-${architecture}`, name);
}

export const buildLockPath = (cache: string): string => join(cache, 'build.lock');

/** On the same file system as the cache, so that a finished binary moves into place at once. */
export const scratchFolder = (cache: string): string => join(cache, 'scratch');

export const buildLogPath = (cache: string, recipe: RecipeName): string =>
  join(cache, 'logs', `${recipe}.log`);
