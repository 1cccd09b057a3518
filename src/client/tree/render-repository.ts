import { formatAge } from '../output/duration.js';
import { span, type Line, type Tone } from '../output/line.js';
import { padCells } from '../output/table.js';
import { hang, renderMessage, renderName, type RenderOptions } from './render-parts.js';
import { shortenDigest } from './shorten-image.js';
import type { RepositoryTree } from './tree.js';

const phaseTones: Record<RepositoryTree['phase'], Tone> = {
  Ready: 'good',
  NotReady: 'bad',
  Waiting: 'dim',
};

/** A repository, and the image that each of its tags means. */
export function renderRepository(tree: RepositoryTree, options: RenderOptions): Line[] {
  const { phase, repository, message, tags, lastCheckedAt } = tree;
  const checked =
    lastCheckedAt === null ? '' : `  asked ${formatAge(lastCheckedAt, options.nowMs)} ago`;
  const cells = padCells(
    tags.map(({ tag, digest, resolvedAt }) => [
      tag,
      digest === null ? 'no image' : shortenDigest(digest),
      formatAge(resolvedAt ?? undefined, options.nowMs),
    ]),
  );
  const branches = cells.map(([tag = '', digest = '', age = '']): Line[] => [
    [span(`${tag}  `), span(digest, 'busy'), span('  '), span(age, 'dim')],
  ]);
  return [
    [
      ...renderName(tree, options),
      span(phase, phaseTones[phase]),
      span(`  ${repository}`),
      span(checked, 'dim'),
    ],
    ...renderMessage(message, phaseTones[phase], tags.length > 0),
    ...hang(branches),
  ];
}
