import { formatAge } from '../output/duration.js';
import { span, type Line, type Tone } from '../output/line.js';
import { padCells } from '../output/table.js';
import { refOf } from '../kinds.js';
import { describeCounts, type DeploymentPhase } from './describe-deployment.js';
import type { DeploymentTree, PodTree, RevisionTree } from './tree.js';

export interface RenderOptions {
  readonly nowMs: number;
  /** Names each object's namespace, for lists over all of them. */
  readonly withNamespace?: boolean;
}

/** More pods than this in one revision become one line. */
const podLines = 10;
const barCells = 10;

const phaseTones: Record<DeploymentPhase, Tone> = {
  Complete: 'good',
  Progressing: 'busy',
  Paused: 'warn',
  Failed: 'bad',
  RolledBack: 'bad',
  Cancelled: 'warn',
  Waiting: 'dim',
};

/** The lines of a tree: the object, its revisions from newest to oldest, and their pods. */
export function renderTree(tree: DeploymentTree, options: RenderOptions): Line[] {
  const shown = tree.revisions.filter(isInteresting);
  const idle = tree.revisions.length - shown.length;
  const branches: Line[][] = renderRevisions(shown, options.nowMs);
  if (idle > 0) {
    const noun = idle === 1 ? 'older revision' : 'older revisions';
    branches.push([[span(`${idle} ${noun} without pods`, 'dim')]]);
  }
  return [renderHeading(tree, options), ...renderMessage(tree), ...hang(branches)];
}

/** Trees below each other, with a free line between them. */
export function renderTrees(trees: readonly DeploymentTree[], options: RenderOptions): Line[] {
  return trees.flatMap((tree, index) => [
    ...(index === 0 ? [] : [[]]),
    ...renderTree(tree, options),
  ]);
}

const isInteresting = ({ current, replicas, pods }: RevisionTree): boolean =>
  current || replicas.desired > 0 || pods.length > 0;

function renderHeading(tree: DeploymentTree, { withNamespace }: RenderOptions): Line {
  const { phase } = tree;
  const where = withNamespace === true ? `${tree.namespace}  ` : '';
  const paused = tree.paused && phase === 'Complete' ? ', paused' : '';
  return [
    span(where, 'dim'),
    span(refOf(tree, tree.name), 'strong'),
    span('  '),
    span(`${phase}${paused}`, phaseTones[phase]),
    span('  '),
    ...(phase === 'Complete' ? [] : [span(renderBar(tree), phaseTones[phase]), span('  ')]),
    span(describeCounts(tree)),
  ];
}

/** Filled by pods that are both of the new template and available, as far as the counts can tell. */
function renderBar({ phase, replicas }: DeploymentTree): string {
  const { desired, current, updated, available } = replicas;
  const old = Math.max(0, current - updated);
  const done = Math.min(updated, desired, Math.max(0, available - old));
  const cells = desired === 0 || phase === 'Waiting' ? 0 : Math.floor((done / desired) * barCells);
  return `${'█'.repeat(cells)}${'░'.repeat(barCells - cells)}`;
}

function renderMessage({ message, phase, revisions }: DeploymentTree): Line[] {
  if (message === '') return [];
  const tone = phase === 'Progressing' || phase === 'Complete' ? 'dim' : phaseTones[phase];
  return [[span(revisions.length === 0 ? '   ' : '│  ', 'dim'), span(message, tone)]];
}

function renderRevisions(revisions: readonly RevisionTree[], nowMs: number): Line[][] {
  const cells = padCells(
    revisions.map(({ revision, replicaSet, images, replicas }) => [
      `revision ${revision}`,
      replicaSet,
      images.join(', '),
      `${replicas.ready}/${replicas.desired} ready`,
    ]),
  );
  return revisions.map((revision, index) => {
    const [title = '', set = '', images = '', ready = ''] = cells[index] ?? [];
    const isReady = revision.replicas.ready >= revision.replicas.desired;
    const heading: Line = [
      span(title, revision.current ? 'strong' : 'plain'),
      span(`  ${set}  `),
      span(images, 'busy'),
      span('  '),
      span(ready, isReady ? 'good' : 'warn'),
      ...(revision.changeCause === null ? [] : [span(`  ${revision.changeCause}`, 'dim')]),
    ];
    return [heading, ...hang(renderPods(revision.pods, nowMs))];
  });
}

function renderPods(pods: readonly PodTree[], nowMs: number): Line[][] {
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

function podTone({ ready, status }: PodTree): Tone {
  if (status === 'Terminating') return 'dim';
  if (ready) return 'good';
  return /Err|BackOff|Failed|Evicted|OOM|ExitCode|Invalid|Lost/.test(status) ? 'bad' : 'warn';
}

/** Hangs branches under their parent; the first line of each gets the knot. */
function hang(branches: readonly (readonly Line[])[]): Line[] {
  return branches.flatMap((lines, index) => {
    const isLast = index === branches.length - 1;
    return lines.map((line, row) => {
      const knot = isLast ? '└─ ' : '├─ ';
      const rail = isLast ? '   ' : '│  ';
      return [span(row === 0 ? knot : rail, 'dim'), ...line];
    });
  });
}
