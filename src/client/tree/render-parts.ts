import { formatAge } from '../output/duration.js';
import { span, type Line, type Tone } from '../output/line.js';
import { padCells } from '../output/table.js';
import { refOf } from '../kinds.js';
import type { PodTree, Tree } from './tree.js';

export interface RenderOptions {
  readonly nowMs: number;
  /** Names each object's namespace, for lists over all of them. */
  readonly withNamespace?: boolean;
}

/** More pods than this below one parent become one line. */
const podLines = 10;
const barCells = 10;

/** The beginning of an object's first line: where it is, and its name. */
export function renderName(tree: Tree, { withNamespace }: RenderOptions): Line {
  const where = withNamespace === true ? `${tree.namespace}  ` : '';
  return [span(where, 'dim'), span(refOf(tree, tree.name), 'strong'), span('  ')];
}

/** Filled as far as the part of the whole goes. */
export function renderBar(done: number, whole: number): string {
  const cells = whole === 0 ? 0 : Math.floor((Math.min(done, whole) / whole) * barCells);
  return `${'█'.repeat(cells)}${'░'.repeat(barCells - cells)}`;
}

/** The sentence below an object's first line. */
export function renderMessage(message: string, tone: Tone, hasBranches: boolean): Line[] {
  return message === '' ? [] : [[span(hasBranches ? '│  ' : '   ', 'dim'), span(message, tone)]];
}

export function renderPods(pods: readonly PodTree[], nowMs: number): Line[][] {
  if (pods.length > podLines) return [[renderPodSummary(pods)]];
  const cells = padCells(
    pods.map(({ name, status, readyContainers, containers, created, restarts }) => [
      name,
      status,
      `${readyContainers}/${containers}`,
      formatAge(created ?? undefined, nowMs),
      restarts === 0 ? '' : `${restarts} ${restarts === 1 ? 'restart' : 'restarts'}`,
    ]),
  );
  return pods.map((pod, index) => {
    const [name = '', status = '', ready = '', age = '', restarts = ''] = cells[index] ?? [];
    return [
      [
        span(`${name}  `),
        span(status, podTone(pod)),
        span(`  ${ready}  `),
        span(age, 'dim'),
        span(`  ${restarts}`, 'warn'),
      ],
    ];
  });
}

/** Example: 37 pods: 30 Running, 7 Pending; 30 ready */
function renderPodSummary(pods: readonly PodTree[]): Line {
  const counts = new Map<string, number>();
  for (const { status } of pods) counts.set(status, (counts.get(status) ?? 0) + 1);
  const parts = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([status, count]) => `${count} ${status}`);
  const ready = pods.filter((pod) => pod.ready).length;
  return [
    span(`${pods.length} pods: ${parts.join(', ')}; `),
    span(`${ready} ready`, ready === pods.length ? 'good' : 'warn'),
  ];
}

export function podTone({ ready, status }: PodTree): Tone {
  if (status === 'Terminating') return 'dim';
  if (ready) return 'good';
  return isTrouble(status) ? 'bad' : 'warn';
}

/** Whether a word for a pod's state tells of something that will not mend by waiting a little. */
export function isTrouble(status: string): boolean {
  return /Err|BackOff|Failed|Evicted|OOM|ExitCode|Invalid|Lost/.test(status);
}

/** Hangs branches under their parent; the first line of each gets the knot. */
export function hang(branches: readonly (readonly Line[])[]): Line[] {
  return branches.flatMap((lines, index) => {
    const isLast = index === branches.length - 1;
    return lines.map((line, row) => {
      const knot = isLast ? '└─ ' : '├─ ';
      const rail = isLast ? '   ' : '│  ';
      return [span(row === 0 ? knot : rail, 'dim'), ...line];
    });
  });
}
