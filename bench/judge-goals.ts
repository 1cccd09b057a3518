import type { CaseName } from './cases.js';
import { engineTitles } from './engine-names.js';
import { formatBytes, formatRatio } from './format.js';
import type { CaseSummary, EngineSummary } from './summarise.js';

export interface Goal {
  /** Example: 1 Deployment × 100 pods: at most 1.10× built-in controller */
  readonly text: string;
  readonly measured: string;
  readonly isMet: boolean;
}

const mostRatio = 1.1;
const fewerEventsThan = 60;
const eventsCase: CaseName = '1x100';
const lessBytesThan = 400e6;

/** What Slipway wants to be, as far as it was measured. */
export function judgeGoals(summaries: readonly CaseSummary[]): readonly Goal[] {
  const own = summaries.flatMap((summary) => {
    const slipway = summary.engines.find(({ engine }) => engine === 'slipway');
    return slipway === undefined ? [] : [{ summary, slipway }];
  });
  return [
    ...own.flatMap(({ summary, slipway }) => judgeRatios(summary, slipway)),
    ...own.flatMap(({ summary, slipway }) => judgeEvents(summary, slipway)),
    ...judgeMemory(own.map(({ slipway }) => slipway)),
    ...own.flatMap(({ summary, slipway }) => judgeOpenRuns(summary, slipway)),
  ];
}

function judgeRatios({ title }: CaseSummary, { ratios = {} }: EngineSummary): readonly Goal[] {
  return (['built-in', 'argo'] as const).flatMap((rival) => {
    const ratio = ratios[rival];
    if (ratio === undefined) return [];
    return [
      {
        text: `${title}: at most ${formatRatio(mostRatio)} the time of ${engineTitles[rival]}`,
        measured: formatRatio(ratio),
        isMet: ratio <= mostRatio,
      },
    ];
  });
}

function judgeEvents(summary: CaseSummary, { historyEvents }: EngineSummary): readonly Goal[] {
  if (summary.case !== eventsCase || historyEvents === undefined) return [];
  return [
    {
      text: `${summary.title}: fewer than ${fewerEventsThan} history events`,
      measured: String(historyEvents.most),
      isMet: historyEvents.most < fewerEventsThan,
    },
  ];
}

function judgeMemory(own: readonly EngineSummary[]): readonly Goal[] {
  const peaks = own.flatMap(({ peakBytes }) => (peakBytes === null ? [] : [peakBytes.engine]));
  if (peaks.length === 0) return [];
  const most = Math.max(...peaks);
  return [
    {
      text: `the worker stays under ${formatBytes(lessBytesThan)}`,
      measured: formatBytes(most),
      isMet: most < lessBytesThan,
    },
  ];
}

function judgeOpenRuns({ title }: CaseSummary, { openRuns }: EngineSummary): readonly Goal[] {
  if (openRuns === undefined) return [];
  return [{ text: `${title}: no open run`, measured: String(openRuns), isMet: openRuns === 0 }];
}
