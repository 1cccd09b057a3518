/** A digest is known by its beginning. Example: shop/web@sha256:0123456789abcdef… -> shop/web@0123456789ab */
export function shortenImage(image: string): string {
  return image.replace(/@sha256:([0-9a-f]{12})[0-9a-f]+$/, '@$1');
}

/** Example: sha256:0123456789abcdef… -> 0123456789ab */
export const shortenDigest = (digest: string): string =>
  digest.replace(/^sha256:/, '').slice(0, 12);
