import type { PushMark } from '../../domain/images/plan-check.js';
import { imageRepositoryAnnotations } from './annotations.js';
import type { ImageRepository } from './objects.js';

/** What is written on a repository about a push. A text that can't be read still says that there was one. */
export function readPush({ metadata }: Pick<ImageRepository, 'metadata'>): PushMark | undefined {
  const text = metadata.annotations?.[imageRepositoryAnnotations.pushed];
  if (text === undefined) return undefined;
  const { tag, digest, at } = parse(text);
  const atMs = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  return {
    text,
    ...(typeof tag === 'string' ? { tag } : {}),
    ...(typeof digest === 'string' ? { digest } : {}),
    ...(Number.isNaN(atMs) ? {} : { atMs }),
  };
}

function parse(text: string): Readonly<Partial<Record<'tag' | 'digest' | 'at', unknown>>> {
  try {
    const written: unknown = JSON.parse(text);
    return typeof written === 'object' && written !== null ? written : {};
  } catch {
    return {};
  }
}
