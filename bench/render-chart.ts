import { engineTitles, type EngineName } from './engine-names.js';
import { formatBytes, formatRatio, formatSeconds, totalOf } from './format.js';
import { formatCpu } from './render-report.js';
import type { CaseSummary, EngineSummary } from './summarise.js';
import type { Surroundings } from './surroundings.js';

/** One bar: a length, or two lengths in a row, and what is written behind it. */
interface Bar {
  readonly engine: EngineName;
  readonly parts: readonly { readonly value: number; readonly isTemporal?: boolean }[];
  /** From the least to the most that was measured. */
  readonly range?: readonly [number, number];
  readonly label: string;
  readonly note?: string;
}

interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
}

const width = 920;
const margin = 28;
const nameWidth = 140;
const labelWidth = 310;
const barLeft = margin + nameWidth;
const barSpace = width - barLeft - labelWidth - margin;
const barHeight = 18;
const barStep = 26;
const titleHeight = 30;
const panelGap = 20;
const headHeight = 76;
const footHeight = 56;

const colours = {
  background: '#fbfcfe',
  frame: '#c9d3df',
  text: '#1c2733',
  dim: '#5a6b7d',
  track: '#e9eef4',
  range: '#1c2733',
  slipway: '#0b7285',
  temporal: '#66c2cf',
  'built-in': '#7b8794',
  argo: '#e8833a',
} as const satisfies Readonly<Record<string, string>>;

/**
 * The picture of a bench, with a background of its own so that it can be read on light and dark pages.
 * Each panel has a scale of its own: engines are compared, not cases.
 */
export function renderChart(summaries: readonly CaseSummary[], surroundings: Surroundings): string {
  const panels = planPanels(summaries);
  let top = headHeight;
  const drawn = panels.map((panel) => {
    const text = drawPanel(panel, top);
    top += titleHeight + panel.bars.length * barStep + panelGap;
    return text;
  });
  const height = top + footHeight;
  const caption = describeSurroundings(surroundings);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Slipway beside the built-in Deployment controller and Argo Rollouts" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif">`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${colours.background}" stroke="${colours.frame}"/>`,
    drawText(margin, 36, 'The same rollouts, three engines', { size: 19, weight: 600 }),
    drawText(margin, 58, 'Shorter is better. Rolling updates at 25 % surge and 25 % unavailable, on the same cluster, in turns.', { colour: colours.dim }), // prettier-ignore
    ...drawn,
    ...caption.map((line, index) =>
      drawText(margin, height - 32 + index * 17, line, { size: 11.5, colour: colours.dim }),
    ),
    '</svg>',
    '',
  ].join('\n');
}

function planPanels(summaries: readonly CaseSummary[]): readonly Panel[] {
  const rollouts = summaries.filter(({ kind }) => kind === 'rollout');
  const idling = summaries.filter(({ kind }) => kind === 'idle');
  return [
    ...rollouts.map(planTimes),
    ...(rollouts.length > 0 ? [planMemory(rollouts)] : []),
    ...idling.map(planIdling),
  ].filter(({ bars }) => bars.length > 0);
}

function planTimes({ title, engines }: CaseSummary): Panel {
  const bars = engines.flatMap((one): Bar[] => {
    if (one.seconds === undefined) return [];
    const { median, least, most } = one.seconds;
    return [
      {
        engine: one.engine,
        parts: [{ value: median }],
        range: [least, most],
        label: `${formatSeconds(median)} s`,
        note: describeRatios(one),
      },
    ];
  });
  return { title, unit: 'seconds, median; the line shows least to most', bars };
}

function describeRatios({ engine, ratios = {} }: EngineSummary): string {
  const builtIn = ratios['built-in'];
  const { argo } = ratios;
  return [
    ...(builtIn === undefined ? [] : [`${formatRatio(builtIn)} built-in`]),
    ...(argo === undefined || engine !== 'slipway' ? [] : [`${formatRatio(argo)} Argo`]),
  ].join(', ');
}

/** The most in any of the cases. */
function planMemory(summaries: readonly CaseSummary[]): Panel {
  const peaks = new Map<EngineName, EngineSummary>();
  for (const one of summaries.flatMap(({ engines }) => engines)) {
    const known = peaks.get(one.engine)?.peakBytes ?? null;
    if (one.peakBytes === null) continue;
    if (known === null || totalOf(one.peakBytes) > totalOf(known)) peaks.set(one.engine, one);
  }
  return {
    title: 'Peak memory in these rollouts',
    unit: 'resident megabytes',
    bars: [...peaks.values()].flatMap((one) => memoryBar(one)),
  };
}

function planIdling({ title, engines }: CaseSummary): Panel {
  return {
    title,
    unit: 'resident megabytes; share of one core',
    bars: engines.flatMap((one) => {
      const runs = one.openRuns === undefined ? '' : `, ${one.openRuns} open runs`;
      return memoryBar(one).map((bar) => ({ ...bar, note: `CPU ${formatCpu(one)}${runs}` }));
    }),
  };
}

function memoryBar({ engine, peakBytes }: EngineSummary): readonly Bar[] {
  if (peakBytes === null) return [];
  const { temporal } = peakBytes;
  const label = formatBytes(totalOf(peakBytes));
  if (temporal === undefined) return [{ engine, parts: [{ value: peakBytes.engine }], label }];
  return [
    {
      engine,
      parts: [{ value: peakBytes.engine }, { value: temporal, isTemporal: true }],
      label,
      note: `worker ${formatBytes(peakBytes.engine)}, Temporal ${formatBytes(temporal)}`,
    },
  ];
}

function drawPanel({ title, unit, bars }: Panel, top: number): string {
  const most = Math.max(...bars.map(({ parts, range }) => Math.max(sumOf(parts), range?.[1] ?? 0)));
  const scale = barSpace / (most === 0 ? 1 : most);
  return [
    drawText(margin, top + 14, title, { size: 14, weight: 600 }),
    drawText(width - margin, top + 14, unit, { size: 11.5, colour: colours.dim, anchor: 'end' }),
    ...bars.map((bar, index) => drawBar(bar, top + titleHeight + index * barStep, scale)),
  ].join('\n');
}

function drawBar({ engine, parts, range, label, note }: Bar, top: number, scale: number): string {
  const middle = top + barHeight / 2;
  const shapes: string[] = [];
  let left = barLeft;
  for (const { value, isTemporal } of parts) {
    const length = value * scale;
    const colour = isTemporal === true ? colours.temporal : colours[engine];
    shapes.push(drawBox(left, top, length, colour));
    left += length;
  }
  if (range !== undefined && range[0] !== range[1]) {
    const [from, to] = range.map((value) => round(barLeft + value * scale));
    shapes.push(
      `<path d="M${from} ${middle}H${to}M${from} ${middle - 4}v8M${to} ${middle - 4}v8" stroke="${colours.range}" stroke-width="1.3" stroke-opacity="0.65" fill="none"/>`,
    );
  }
  const labelLeft = barLeft + barSpace + 12;
  const notes = note === undefined || note === '' ? '' : note;
  return [
    drawText(barLeft - 10, middle + 4.5, engineTitles[engine], {
      anchor: 'end',
      weight: engine === 'slipway' ? 600 : 400,
    }),
    drawBox(barLeft, top, barSpace, colours.track),
    ...shapes,
    drawText(labelLeft, middle + 4.5, label, { weight: 600 }),
    ...(notes === ''
      ? []
      : [drawText(labelLeft + 62, middle + 4.5, notes, { size: 11.5, colour: colours.dim })]),
  ].join('\n');
}

const drawBox = (left: number, top: number, length: number, colour: string): string =>
  `<rect x="${round(left)}" y="${top}" width="${round(length)}" height="${barHeight}" rx="2" fill="${colour}"/>`;

interface TextStyle {
  readonly size?: number;
  readonly weight?: number;
  readonly colour?: string;
  readonly anchor?: 'start' | 'end';
}

function drawText(
  left: number,
  baseline: number,
  text: string,
  { size = 13, weight = 400, colour = colours.text, anchor = 'start' }: TextStyle = {},
): string {
  return `<text x="${left}" y="${baseline}" font-size="${size}" font-weight="${weight}" fill="${colour}" text-anchor="${anchor}">${escapeText(text)}</text>`;
}

export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const round = (value: number): number => Math.round(value * 10) / 10;

const sumOf = (parts: Bar['parts']): number => parts.reduce((sum, { value }) => sum + value, 0);

export function describeSurroundings(surroundings: Surroundings): readonly string[] {
  const { measuredAt, cores, processor, memoryGigabytes, versions } = surroundings;
  return [
    `${cores} ${cores === 1 ? 'core' : 'cores'} (${processor}), ${memoryGigabytes} GB, ${measuredAt.slice(0, 10)}; pods and nodes are simulated by kwok. Ratios are taken within rounds.`,
    `Slipway ${versions.slipway} on Node ${versions.node} with Temporal ${versions.temporal}, Kubernetes ${versions.kubernetes}, Argo Rollouts ${versions.argoRollouts}.`,
  ];
}
