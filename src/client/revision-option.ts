import { InvalidArgumentError } from 'commander';

import { readRevision, type Revision } from '../domain/shared/revision.js';

/** A revision number of the command line; 0 is taken where it means "the one before". */
export function parseRevision(text: string, lowest = 1): Revision {
  if (!/^\d{1,19}$/.test(text) || BigInt(text) < BigInt(lowest)) {
    throw new InvalidArgumentError('A revision is a whole number, as "history" lists them.');
  }
  return readRevision(text);
}
