import { renderTable } from '../src/client/output/table.js';
import { engineTitles } from './engine-names.js';
import { formatCpuSeconds, formatMemory, formatRatio, formatSeconds } from './format.js';
import type { Goal } from './judge-goals.js';
import type { CaseSummary, EngineSummary, Spread } from './summarise.js';

/** The tables and the goals, line by line. */
export function renderReport(
  summaries: readonly CaseSummary[],
  goals: readonly Goal[],
): readonly string[] {
  return [
    ...renderRollouts(summaries.filter(({ kind }) => kind === 'rollout')),
    ...renderIdling(summaries.filter(({ kind }) => kind === 'idle')),
    ...renderGoals(goals),
  ];
}

function renderRollouts(summaries: readonly CaseSummary[]): readonly string[] {
  if (summaries.length === 0) return [];
  const header = [
    'ROLLOUT',
    'ENGINE',
    'SECONDS (MEDIAN, SPREAD)',
    '× BUILT-IN',
    '× ARGO',
    'PEAK MEMORY',
    'CPU SECONDS',
    'HISTORY EVENTS',
  ];
  const row = (one: EngineSummary): readonly string[] => [
    engineTitles[one.engine],
    one.seconds === undefined ? '–' : formatSpread(one.seconds, formatSeconds),
    one.engine === 'built-in' ? '1' : formatRatio(one.ratios?.['built-in'] ?? null),
    one.engine === 'argo' ? '1' : formatRatio(one.ratios?.argo ?? null),
    formatMemory(one.peakBytes),
    formatCpuSeconds(one.cpuSeconds ?? null),
    one.historyEvents === undefined ? '–' : formatSpread(one.historyEvents, String),
  ];
  return [...renderTable(header, rowsOf(summaries, row)), ''];
}

function renderIdling(summaries: readonly CaseSummary[]): readonly string[] {
  if (summaries.length === 0) return [];
  const header = ['IDLE', 'ENGINE', 'CPU', 'PEAK MEMORY', 'OPEN RUNS'];
  const row = (one: EngineSummary): readonly string[] => [
    engineTitles[one.engine],
    formatCpu(one),
    formatMemory(one.peakBytes),
    one.openRuns === undefined ? '–' : String(one.openRuns),
  ];
  return [...renderTable(header, rowsOf(summaries, row)), ''];
}

function renderGoals(goals: readonly Goal[]): readonly string[] {
  if (goals.length === 0) return [];
  const rows = goals.map(({ text, measured, isMet }) => [isMet ? 'met' : 'MISSED', measured, text]);
  return [...renderTable(['GOAL', 'MEASURED', ''], rows), ''];
}

/** The case is named in the first of its rows. */
function rowsOf(
  summaries: readonly CaseSummary[],
  row: (one: EngineSummary) => readonly string[],
): readonly (readonly string[])[] {
  return summaries.flatMap(({ title, engines }) =>
    engines.map((one, index) => [index === 0 ? title : '', ...row(one)]),
  );
}

function formatSpread({ median, least, most }: Spread, format: (value: number) => string): string {
  return least === most ? format(median) : `${format(median)} (${format(least)}–${format(most)})`;
}

/** Of one core. Example: 1.2 % + Temporal 3.4 % */
export function formatCpu({ cpuShare = null }: EngineSummary): string {
  if (cpuShare === null) return '–';
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  const { engine, temporal } = cpuShare;
  return temporal === undefined
    ? percent(engine)
    : `${percent(engine)} + Temporal ${percent(temporal)}`;
}
