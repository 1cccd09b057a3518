import { chmodSync, cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Copies a module's source out of Go's module cache, where nothing may be written. */
export function copySource(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  chmodSync(to, 0o755);
  for (const entry of readdirSync(to, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
}
