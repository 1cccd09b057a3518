import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { packageRoot } from '../../src/dev/package-root.js';

/** A manifest of examples/, edited as the documents say with sed: each word that is replaced must be there. */
export function readExample(name: string, edits: Readonly<Record<string, string>> = {}): string {
  const text = readFileSync(join(packageRoot, 'examples', name), 'utf8');
  return Object.entries(edits).reduce((edited, [from, to]) => {
    if (!edited.includes(from)) throw new Error(`examples/${name} does not say "${from}"`);
    return edited.replaceAll(from, to);
  }, text);
}
