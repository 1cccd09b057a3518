import { span, type Line, type Tone } from '../output/line.js';
import { padCells } from '../output/table.js';
import { describeCounts, type DeploymentPhase } from './describe-deployment.js';
import { isHookUnderWay } from './describe-hooks.js';
import { renderHooks } from './render-hooks.js';
import {
  hang,
  renderBar,
  renderMessage,
  renderName,
  renderPods,
  type RenderOptions,
} from './render-parts.js';
import type { DeploymentTree, RevisionTree } from './tree.js';

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
export function renderDeployment(tree: DeploymentTree, options: RenderOptions): Line[] {
  const shown = tree.revisions.filter(isInteresting);
  const idle = tree.revisions.length - shown.length;
  const branches: Line[][] = renderRevisions(tree, shown, options.nowMs);
  if (idle > 0) {
    const noun = idle === 1 ? 'older revision' : 'older revisions';
    branches.push([[span(`${idle} ${noun} without pods`, 'dim')]]);
  }
  return [
    renderHeading(tree, options),
    ...renderMessage(tree.message, messageTone(tree), tree.revisions.length > 0),
    ...hang(branches),
  ];
}

const isInteresting = ({ current, replicas, pods, hooks }: RevisionTree): boolean =>
  current || replicas.desired > 0 || pods.length > 0 || hooks.some(isHookUnderWay);

function renderHeading(tree: DeploymentTree, options: RenderOptions): Line {
  const { phase } = tree;
  const paused = tree.paused && phase === 'Complete' ? ', paused' : '';
  return [
    ...renderName(tree, options),
    span(`${phase}${paused}`, phaseTones[phase]),
    span('  '),
    ...(phase === 'Complete' ? [] : [span(renderProgress(tree), phaseTones[phase]), span('  ')]),
    span(describeCounts(tree)),
  ];
}

/** Filled by pods that are both of the new template and available, as far as the counts can tell. */
function renderProgress({ phase, replicas }: DeploymentTree): string {
  const { desired, current, updated, available } = replicas;
  const old = Math.max(0, current - updated);
  const done = Math.min(updated, desired, Math.max(0, available - old));
  return renderBar(phase === 'Waiting' ? 0 : done, desired);
}

function messageTone({ phase }: DeploymentTree): Tone {
  return phase === 'Progressing' || phase === 'Complete' ? 'dim' : phaseTones[phase];
}

function renderRevisions(
  { phase }: DeploymentTree,
  revisions: readonly RevisionTree[],
  nowMs: number,
): Line[][] {
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
    const isUnderWay = revision.current && (phase === 'Progressing' || phase === 'Paused');
    const branches = [
      ...renderHooks(revision.hooks, isUnderWay, nowMs),
      ...renderPods(revision.pods, nowMs),
    ];
    return [heading, ...hang(branches)];
  });
}
