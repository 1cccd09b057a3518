import {
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';

import { runTool } from './run-tool.js';
import type { TarEntry } from './tar.js';

/**
 * Files of this machine for an image, at the same paths: folders with all that is in them, and the
 * shared libraries that programs and libraries among them need.
 */
export async function collectHostFiles(
  paths: readonly string[],
  isWanted: (path: string) => boolean = () => true,
): Promise<readonly TarEntry[]> {
  const entries = paths.flatMap((path) => readTree(path, isWanted));
  const libraries = await findLibraries(entries.filter(isLoaded).map(({ path }) => `/${path}`));
  const known = new Set(entries.map(({ path }) => path));
  const missing = libraries.filter((path) => !known.has(path.slice(1)));
  return [...entries, ...missing.map((path) => readFile(path))];
}

/** One file of this machine at another path. */
export const hostFile = (from: string, to: string): TarEntry => ({
  ...readFile(realpathSync(from)),
  path: to.replace(/^\/+/, ''),
});

/** Example of a line: "libz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x00007f…)". */
export function parseLdd(answer: string): readonly string[] {
  return answer.split('\n').flatMap((line) => {
    const path = /(?:=> |^\s+)(\/\S+) \(0x/.exec(line)?.[1];
    return path === undefined ? [] : [path];
  });
}

async function findLibraries(paths: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const path of paths) {
    // It fails for a program that needs none.
    const answer = await runTool('ldd', [path]).catch(() => '');
    for (const library of parseLdd(answer)) found.add(library);
  }
  return [...found];
}

function readTree(path: string, isWanted: (path: string) => boolean): readonly TarEntry[] {
  if (!isWanted(path)) return [];
  const kind = lstatSync(path);
  if (kind.isDirectory()) {
    const inner = readdirSync(path).flatMap((name) => readTree(join(path, name), isWanted));
    return [{ path: path.slice(1), kind: 'folder' }, ...inner];
  }
  // A link to a file becomes the file: what it leads to may be anywhere.
  if (!kind.isSymbolicLink() || statSync(path).isFile()) return [readFile(path)];
  return [{ path: path.slice(1), kind: 'link', target: readlinkSync(path) }];
}

function readFile(path: string): TarEntry & { readonly kind: 'file' } {
  const executable = (statSync(path).mode & 0o111) !== 0;
  return { path: path.slice(1), kind: 'file', content: readFileSync(path), executable };
}

const elfMark = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);

const isLoaded = (entry: TarEntry): boolean =>
  entry.kind === 'file' && entry.content.subarray(0, elfMark.length).equals(elfMark);
