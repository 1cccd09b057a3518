import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { badInput } from '../failure.js';

/** Where a text came from, for sentences, and the text. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

const manifestName = /\.(ya?ml|json)$/;

/** Files, the manifests directly in folders, and `-` for the standard input. */
export async function readSources(paths: readonly string[]): Promise<Source[]> {
  const sources: Source[] = [];
  for (const path of paths) sources.push(...(await readPath(path)));
  return sources;
}

async function readPath(path: string): Promise<Source[]> {
  if (path === '-') return [{ name: 'stdin', text: await text(process.stdin) }];
  try {
    if (!(await stat(path)).isDirectory()) {
      return [{ name: path, text: await readFile(path, 'utf8') }];
    }
    const names = (await readdir(path)).filter((name) => manifestName.test(name)).sort();
    if (names.length === 0) {
      throw badInput(`${path}: the folder has no file ending in .yaml, .yml or .json`);
    }
    return await Promise.all(
      names.map(async (name) => ({
        name: join(path, name),
        text: await readFile(join(path, name), 'utf8'),
      })),
    );
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw badInput(`${path}: there is no such file`, error);
    if (code === 'EACCES') throw badInput(`${path}: you may not read this file`, error);
    throw error;
  }
}
