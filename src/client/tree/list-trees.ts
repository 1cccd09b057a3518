import type { KubernetesObject } from '../../kubernetes/objects.js';
import type { ResourceType } from '../../kubernetes/resources.js';
import { isNotServed, listObjects } from '../watch-objects.js';
import { buildTrees, listNeeds } from './tree-kinds.js';
import type { Tree } from './tree.js';
import { seenIn, selectorsFor, type TreeSelection } from './watch-trees.js';

/** The trees as they are now. */
export async function listTrees(selection: TreeSelection): Promise<Tree[]> {
  const { types } = selection;
  const lists = await Promise.all(
    listNeeds(types, false).map(async (type) => [type, await list(selection, type)] as const),
  );
  return buildTrees(types, seenIn(new Map(lists)));
}

async function list(
  selection: TreeSelection,
  type: ResourceType,
): Promise<ReadonlyMap<string, KubernetesObject>> {
  const { optional, ...selectors } = selectorsFor(type, selection);
  try {
    const { client, namespace } = selection;
    return (await listObjects({ client, namespace, type, ...selectors })).objects;
  } catch (error) {
    if (optional && isNotServed(error)) return new Map();
    throw error;
  }
}
