export type DigestAlgorithm = 'sha256' | 'sha512';

/** What the OCI registers: an algorithm and its hash in lower-case hexadecimal digits, all of them. */
const pattern = /^(?:(sha256):[0-9a-f]{64}|(sha512):[0-9a-f]{128})$/;

export const isDigest = (text: string): boolean => pattern.test(text);

/** The algorithm of a digest; undefined where the text is none. */
export function digestAlgorithm(text: string): DigestAlgorithm | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  return match[1] === undefined ? 'sha512' : 'sha256';
}
