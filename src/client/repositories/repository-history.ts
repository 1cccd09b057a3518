import type { ImageRepository, ResolvedTag } from '../../kubernetes/image-repositories/objects.js';
import type { History, Subject } from '../handling.js';
import { toEntry, type HistoryEntry } from '../history/history-entry.js';

/** The images that the tags of a repository stood for, as its status keeps them. */
export function readRepositoryHistory({ object }: Subject<ImageRepository>): Promise<History> {
  return Promise.resolve({ entries: describeImages(object), workflowIds: () => [] });
}

/** Newest first, over all tags. */
export function describeImages(repository: ImageRepository): HistoryEntry[] {
  const holder = `ImageRepository/${repository.metadata.name}`;
  return (repository.status?.tags ?? [])
    .flatMap((tag) => describeTag(holder, tag))
    .sort((a, b) => (b.startedAt ?? '').localeCompare(a.startedAt ?? ''));
}

function describeTag(holder: string, tag: ResolvedTag): HistoryEntry[] {
  const images = listImages(tag);
  return images.map(({ image, since }, index) => {
    const before = images[index + 1]?.image;
    return toEntry({
      holder,
      tag: tag.tag,
      current: index === 0,
      startedAt: since,
      images: [image],
      triggers: ['ImageChange'],
      from: before === undefined ? null : { revision: null, images: [before] },
    });
  });
}

interface PastImage {
  readonly image: string;
  readonly since: string | null;
}

/** The latest first. One that was resolved before there was a history still knows the image before. */
function listImages({ image, resolvedAt, previous, history }: ResolvedTag): PastImage[] {
  if (image === undefined) return [];
  const repository = image.replace(/@.*$/, '');
  const past = (history ?? []).map(({ digest, resolvedAt: since }) => ({
    image: `${repository}@${digest}`,
    since: since ?? null,
  }));
  const known =
    past.length === 0 && previous !== undefined ? [{ image: previous, since: null }] : past;
  return [{ image, since: resolvedAt ?? null }, ...known];
}
