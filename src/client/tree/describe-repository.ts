import type { ImageRepository } from '../../kubernetes/image-repositories/objects.js';
import type { RepositoryTree } from './tree.js';

/** Whether a repository's tags are known, and if not, why. */
export function describeRepository({
  metadata,
  status,
}: ImageRepository): Pick<RepositoryTree, 'phase' | 'message'> {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const isSeen = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 1);
  if (ready === undefined || !isSeen) {
    return { phase: 'Waiting', message: 'the registry has not been asked yet' };
  }
  if (ready.status === 'True') return { phase: 'Ready', message: '' };
  return { phase: 'NotReady', message: ready.message ?? ready.reason ?? 'its tags are not known' };
}
