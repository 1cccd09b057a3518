import { canonicalJson } from './canonical-json.js';

const offsetBasis = 0x811c9dc5;
const prime = 0x01000193;

/** Letters that can't spell words by chance: no vowels, and none that look like digits. */
const safeAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** FNV-1a with 32 bits, over the text's UTF-8 bytes. */
export function fnv1a32(text: string): number {
  let hash = offsetBasis;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, prime);
  }
  return hash >>> 0;
}

/**
 * The value of the label `pod-template-hash`: the same for the same template on every machine, in
 * every release. A collision count, once there, gives the same template another value.
 */
export function computeTemplateHash(template: object, collisionCount?: number): string {
  const text = canonicalJson(template) + (collisionCount === undefined ? '' : `#${collisionCount}`);
  const digits = String(fnv1a32(text));
  return Array.from(digits, (digit) => safeAlphabet.charAt(digit.charCodeAt(0) % 27)).join('');
}
