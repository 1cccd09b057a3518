import { parseRepository } from '../../../domain/images/parse-image.js';
import type { ImageRepository } from '../../../kubernetes/image-repositories/objects.js';
import type { PushNotice } from '../../../registry/read-notification.js';

export interface PushMatch {
  readonly repository: ImageRepository;
  readonly push: PushNotice;
}

export interface MatchedPushes {
  /** Of each tag of an ImageRepository its last push. */
  readonly matches: readonly PushMatch[];
  readonly accepted: number;
  readonly unmatched: number;
}

/**
 * Which ImageRepositories pushes belong to. By the path alone: the registry may know itself by another
 * host than those who pull from it, and it is asked anyway before anything is believed.
 */
export function matchPushes(
  pushes: readonly PushNotice[],
  repositories: readonly ImageRepository[],
): MatchedPushes {
  const matches = new Map<string, PushMatch>();
  let accepted = 0;
  for (const push of pushes) {
    const own = repositories.filter((repository) => pathOf(repository) === push.repository);
    if (own.length > 0) accepted += 1;
    for (const repository of own) {
      const { namespace = '', name } = repository.metadata;
      matches.set(`${namespace}/${name}:${push.tag}`, { repository, push });
    }
  }
  return { matches: [...matches.values()], accepted, unmatched: pushes.length - accepted };
}

function pathOf({ spec }: ImageRepository): string | undefined {
  const parsed = parseRepository(spec.repository);
  return parsed.kind === 'valid' ? parsed.value.repository : undefined;
}
