import type { PushMark } from '../../domain/images/plan-check.js';
import { imageRepositoryAnnotations } from './annotations.js';
import type { ImageRepository } from './objects.js';

/**
 * What is written on a repository about a push. Its digest is not even read: only the registry can tell
 * what a tag stands for. A text that can't be read still says that something was pushed.
 */
export function readPush({ metadata }: Pick<ImageRepository, 'metadata'>): PushMark | undefined {
  const text = metadata.annotations?.[imageRepositoryAnnotations.pushed];
  if (text === undefined) return undefined;
  const { tag, at } = parse(text);
  const atMs = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  return {
    text,
    ...(typeof tag === 'string' ? { tag } : {}),
    ...(Number.isNaN(atMs) ? {} : { atMs }),
  };
}

function parse(text: string): { readonly tag?: unknown; readonly at?: unknown } {
  try {
    const written: unknown = JSON.parse(text);
    return typeof written === 'object' && written !== null ? written : {};
  } catch {
    return {};
  }
}
