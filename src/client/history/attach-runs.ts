import type { Run } from '../list-runs.js';
import type { HistoryEntry } from './history-entry.js';

/** Each run stands with the revision that it was about; of several tries, with the latest. */
export function attachRuns(
  entries: readonly HistoryEntry[],
  runs: readonly Run[] | undefined,
): HistoryEntry[] {
  if (runs === undefined) return [...entries];
  const given = new Set<Run>();
  return entries.map((entry) => {
    const own = runs.filter(
      (run) => !given.has(run) && run.revision !== null && run.revision === entry.revision,
    );
    for (const run of own) given.add(run);
    return { ...entry, runs: own };
  });
}
