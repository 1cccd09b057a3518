import { closeSync, existsSync, openSync, readSync, renameSync, statSync } from 'node:fs';

/** A log is moved aside at a start when it has grown beyond this; one older one is kept. */
const rotateAboveBytes = 10_000_000;

/** Opens a log for a new process, behind what earlier ones have written. */
export function openLog(path: string): { readonly descriptor: number; readonly offset: number } {
  if (existsSync(path) && statSync(path).size > rotateAboveBytes) renameSync(path, `${path}.1`);
  const descriptor = openSync(path, 'a', 0o600);
  return { descriptor, offset: statSync(path).size };
}

/** What was written after an offset. */
export function readLog(path: string, offset: number): string {
  const length = Math.max(0, statSync(path).size - offset);
  const bytes = Buffer.alloc(length);
  const descriptor = openSync(path, 'r');
  try {
    readSync(descriptor, bytes, 0, length, offset);
  } finally {
    closeSync(descriptor);
  }
  return bytes.toString('utf8');
}

export function lastLines(text: string, count: number): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-count);
}
