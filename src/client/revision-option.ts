import { InvalidArgumentError } from 'commander';

/** A revision number of the command line; 0 is taken where it means "the one before". */
export function parseRevision(text: string, lowest = 1): number {
  const revision = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(revision) || revision < lowest) {
    throw new InvalidArgumentError('A revision is a whole number, as "history" lists them.');
  }
  return revision;
}
