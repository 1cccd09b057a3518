import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

import { recipes, type RecipeName } from './tools.js';

const gigabyte = 1e9;

/** Bytes that this user may still write in a folder, or where it would be created. */
export function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch (error) {
    const parent = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error;
    return freeBytes(parent);
  }
}

/** Why a build would fill the disk, in one sentence; undefined when it fits. */
export function judgeFreeSpace(
  builds: readonly RecipeName[],
  folders: readonly { readonly path: string; readonly freeBytes: number }[],
): string | undefined {
  const needed = builds.reduce((sum, name) => sum + recipes[name].diskGigabytes, 0);
  const tight = folders.find((folder) => folder.freeBytes < needed * gigabyte);
  if (tight === undefined) return undefined;
  const free = (tight.freeBytes / gigabyte).toFixed(1);
  return `the build needs about ${needed.toFixed(1)} GB and ${free} GB are free in ${tight.path}: free some space, or set SLIPWAY_CACHE, GOCACHE and GOMODCACHE to folders on a larger disk`;
}
