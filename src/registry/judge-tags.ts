import type { HttpAnswer } from './exchange.js';
import { judgeStatus } from './judge-manifest.js';
import { nonsense } from './registry-failure.js';

/** Whether a registry shows a repository to whoever asks for its tags; one without any is shown as well. */
export function judgeTags(answer: HttpAnswer): { readonly kind: 'shown' | 'missing' } {
  if (judgeStatus(answer) !== undefined) return { kind: 'missing' };
  if (!isTagList(answer.body)) throw nonsense('its answer is not a list of tags');
  return { kind: 'shown' };
}

function isTagList(body: Buffer): boolean {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    if (typeof parsed !== 'object' || parsed === null || !('tags' in parsed)) return false;
    return parsed.tags === null || Array.isArray(parsed.tags);
  } catch {
    return false;
  }
}
