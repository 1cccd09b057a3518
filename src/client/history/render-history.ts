import { formatAge, formatDuration } from '../output/duration.js';
import { cleanText } from '../output/line.js';
import { fitTable } from '../output/fit-table.js';
import { describeImages } from './describe-images.js';
import type { HistoryEntry } from './history-entry.js';

export interface HistoryPage {
  readonly nowMs: number;
  /** Columns give way to each other until the table is no wider. */
  readonly columns: number;
}

/** A history as a table, newest first; below a line stands why it ended as it did, where that is known. */
export function renderHistory(
  entries: readonly HistoryEntry[],
  { nowMs, columns }: HistoryPage,
): string[] {
  if (entries.length === 0) return ['There is no history yet.'];
  const isOfTags = entries.some(({ tag }) => tag !== null);
  const header = isOfTags
    ? ['TAG', 'SINCE', 'WHAT']
    : ['REVISION', 'WHEN', 'WHO', 'WHY', 'WHAT', 'TOOK', 'ENDED'];
  const rows = entries.map((entry) =>
    isOfTags ? describeTag(entry, nowMs) : describeRollout(entry, nowMs),
  );
  const [titles = '', ...lines] = fitTable([header, ...rows], columns, isOfTags ? [2] : [2, 3, 4]);
  return [titles, ...lines.flatMap((line, index) => [line, ...describeEnd(entries[index])])];
}

function describeRollout(entry: HistoryEntry, nowMs: number): string[] {
  const { revision, current, attempt, who, manager, why, outcome } = entry;
  return [
    `${revision ?? '-'}${attempt > 1 ? ` (try ${attempt})` : ''}${current ? ' *' : ''}`,
    formatWhen(entry, nowMs),
    cleanText(who ?? manager ?? '-'),
    cleanText(why ?? '-'),
    cleanText(describeImages(entry)),
    describeTime(entry, nowMs),
    outcome ?? '-',
  ];
}

function describeTag(entry: HistoryEntry, nowMs: number): string[] {
  const { tag, current } = entry;
  return [
    `${tag ?? '-'}${current ? ' *' : ''}`,
    formatWhen(entry, nowMs),
    cleanText(describeImages(entry)),
  ];
}

const formatWhen = ({ startedAt }: HistoryEntry, nowMs: number): string =>
  startedAt === null ? '-' : `${formatAge(startedAt, nowMs)} ago`;

/** How long it took, or goes on already. */
function describeTime({ startedAt, seconds, outcome }: HistoryEntry, nowMs: number): string {
  if (seconds !== null) return formatDuration(seconds * 1_000);
  const goesOn = outcome === 'Progressing' || outcome === 'Paused';
  return goesOn && startedAt !== null ? formatDuration(nowMs - Date.parse(startedAt)) : '-';
}

/** Too long for a column, and what one looks for. */
function describeEnd(entry: HistoryEntry | undefined): readonly string[] {
  const { reason = null, endedBy = null } = entry ?? {};
  if (reason === null && endedBy === null) return [];
  const who = endedBy === null ? '' : `by ${endedBy}`;
  return [`    ${cleanText([who, reason ?? ''].filter((part) => part !== '').join(': '))}`];
}
