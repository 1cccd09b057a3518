import type { ImageRepository } from './objects.js';

/** The newest image of each tag that is followed, by its `namespace/repository:tag`. */
export function readImages(repositories: Iterable<ImageRepository>): ReadonlyMap<string, string> {
  const images = new Map<string, string>();
  for (const { metadata, status } of repositories) {
    for (const { tag, image } of status?.tags ?? []) {
      if (image === undefined) continue;
      images.set(`${metadata.namespace ?? ''}/${metadata.name}:${tag}`, image);
    }
  }
  return images;
}
