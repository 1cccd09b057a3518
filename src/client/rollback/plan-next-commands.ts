import type { RollbackStanding } from '../../contracts/rollback.js';

/** What to do when a rollback has stopped on its way, as the objects of an `undo`. */
export interface NextCommands {
  /** Those that have not gone back, to where they were to go. */
  readonly goOn: readonly string[];
  /** Those that were touched, to the versions from before. */
  readonly goBack: readonly string[];
  /** Those that were touched and have no version from before that could be gone back to. */
  readonly stuck: readonly RollbackStanding[];
}

/**
 * Example: web has gone back from 5 to 3, db has failed on its way from 4 to 2, cache was not begun ->
 * on: dc/db@2 dc/cache@1; back, the last one first: dc/db@4 dc/web@5
 */
export function planNextCommands(
  standings: readonly RollbackStanding[],
  wasComplete: (name: string, version: number) => boolean,
): NextCommands {
  const touched = standings.filter(({ version }) => version !== undefined);
  const isRestorable = ({ name, from }: RollbackStanding): boolean => wasComplete(name, from);
  return {
    goOn: standings
      .filter(({ state }) => state !== 'Complete')
      .map(({ name, to }) => `dc/${name}@${to}`),
    goBack: touched
      .filter(isRestorable)
      .map(({ name, from }) => `dc/${name}@${from}`)
      .reverse(),
    stuck: touched.filter((standing) => !isRestorable(standing)),
  };
}
