import { shortenImage } from '../tree/shorten-image.js';
import type { HistoryEntry } from './history-entry.js';

/** From what to what, for a column. Example: web:1 → :2, sidecar:7 */
export function describeImages({ from, images }: Pick<HistoryEntry, 'from' | 'images'>): string {
  const before = (from?.images ?? []).map(shorten);
  const now = images.map(shorten);
  if (before.length === 0) return now.join(', ');
  if (before.length !== now.length) return `${before.join(', ')} → ${now.join(', ')}`;
  const changed = now.flatMap((image, index) => describeMove(before[index] ?? '', image));
  return changed.length === 0 ? now.join(', ') : changed.join(', ');
}

/** Without the registry and the path. Example: registry.example.com:5000/shop/web:1 -> web:1 */
const shorten = (image: string): string => shortenImage(image).replace(/^.*\//, '');

function describeMove(before: string, now: string): readonly string[] {
  if (before === now) return [];
  const name = nameOf(now);
  const rest = now.slice(name.length);
  return [`${before} → ${name === nameOf(before) && rest !== '' ? rest : now}`];
}

/** Example: web:1 -> web, web@0123456789ab -> web */
const nameOf = (image: string): string => /^[^:@]*/.exec(image)?.[0] ?? '';
