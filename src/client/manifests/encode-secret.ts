import { isMap, mapOf, without, type JsonMap } from './json-value.js';
import type { Manifest } from './parse-manifests.js';

/**
 * A Secret's `stringData` as `data`: the cluster keeps only the latter, and would not remember that a key
 * which is gone from the file was ours. Values that are no texts are left for the cluster to refuse.
 */
export function encodeSecret(manifest: Manifest): Manifest {
  const { stringData, data } = manifest.object as unknown as JsonMap;
  const isSecret = manifest.type.kind === 'Secret' && manifest.type.apiVersion === 'v1';
  if (!isSecret || !isMap(stringData)) return manifest;
  const entries = Object.entries(stringData);
  if (entries.some(([, text]) => typeof text !== 'string')) return manifest;
  const encoded = entries.map(([key, text]) => [key, toBase64(String(text))] as const);
  const rest = without(manifest.object as unknown as JsonMap, ['stringData']);
  const object = { ...rest, data: { ...mapOf(data), ...Object.fromEntries(encoded) } };
  return { ...manifest, object: object as unknown as Manifest['object'] };
}

const toBase64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
