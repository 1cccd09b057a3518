import type { ImageRepositorySpec } from '../../domain/images/judge-image-repository.js';
import type { ImageRepositoryStatus } from '../../domain/images/plan-image-repository.js';
import { defined } from '../../domain/shared/optional.js';
import type { ImageRepository } from './objects.js';

/** What is to be looked up. */
export function readRepositorySpec({ spec }: Pick<ImageRepository, 'spec'>): ImageRepositorySpec {
  const { repository, tags, intervalSeconds } = spec;
  return {
    repository,
    ...defined({ tags: tags ?? undefined, intervalSeconds: intervalSeconds ?? undefined }),
  };
}

/** What is known; a tag without its image says nothing. */
export function readRepositoryStatus(
  repository: Pick<ImageRepository, 'status'>,
): ImageRepositoryStatus {
  const status = repository.status ?? {};
  return {
    tags: (status.tags ?? []).flatMap(({ tag, image, digest, resolvedAt, previous, history }) =>
      image === undefined || digest === undefined
        ? []
        : [{ tag, image, digest, ...defined({ resolvedAt, previous, history }) }],
    ),
    conditions: status.conditions ?? [],
    ...defined({ lastCheckedAt: status.lastCheckedAt }),
  };
}
