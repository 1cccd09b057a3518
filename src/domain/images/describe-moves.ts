import { findCondition } from '../shared/conditions.js';
import { readyType, type ImageRepositoryStatus } from './plan-image-repository.js';

export interface MoveNote {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly note: string;
}

/** What a person wants to be told of: tags that moved, and tags that are not known any more, once. */
export function describeMoves(
  before: ImageRepositoryStatus,
  after: ImageRepositoryStatus,
): readonly MoveNote[] {
  const moved = after.tags.flatMap(({ tag, image, digest }): MoveNote[] => {
    const old = before.tags.find((entry) => entry.tag === tag);
    if (old === undefined || old.digest === digest) return [];
    const note = `Tag ${tag} moved from ${old.image} to ${image}`;
    return [{ type: 'Normal', reason: 'TagMoved', note }];
  });
  const [was, is] = [before, after].map(({ conditions }) => findCondition(conditions, readyType));
  const isWorse = is?.status === 'False' && (was?.status !== 'False' || was.reason !== is.reason);
  if (!isWorse) return moved;
  const { reason = 'NotReady', message = '' } = is;
  return [...moved, { type: 'Warning', reason, note: message }];
}
