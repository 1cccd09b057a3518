import { equalValues } from '../output/compare-values.js';
import type { Tree } from './tree.js';

/** The trees that are new or different, then those that are gone, marked as such. */
export function listChangedTrees(before: readonly Tree[], after: readonly Tree[]): Tree[] {
  const known = new Map(before.map((tree) => [keyOf(tree), tree]));
  const kept = new Set(after.map(keyOf));
  return [
    ...after.filter((tree) => !equalValues(known.get(keyOf(tree)), tree)),
    ...before
      .filter((tree) => !kept.has(keyOf(tree)))
      .map((tree) => ({ ...tree, deleted: true as const })),
  ];
}

const keyOf = ({ apiVersion, kind, namespace, name }: Tree): string =>
  [apiVersion, kind, namespace, name].join(' ');
