import type { Deployment, KubernetesObject, Pod, ReplicaSet } from '../../kubernetes/objects.js';
import { resources, type ResourceType } from '../../kubernetes/resources.js';
import { isNotServed, listObjects } from '../watch-objects.js';
import { buildTrees } from './build-trees.js';
import type { DeploymentTree } from './tree.js';
import { selectorsFor, type TreeSelection } from './watch-trees.js';

/** The trees as they are now. */
export async function listTrees(selection: TreeSelection): Promise<DeploymentTree[]> {
  const [deployments, replicaSets, pods] = await Promise.all([
    Promise.all(selection.types.map((type) => list<Deployment>(selection, type))),
    list<ReplicaSet>(selection, resources.replicaSets),
    list<Pod>(selection, resources.pods),
  ]);
  return buildTrees({ deployments: deployments.flat(), replicaSets, pods });
}

async function list<T extends KubernetesObject>(
  selection: TreeSelection,
  type: ResourceType,
): Promise<T[]> {
  const { optional, ...selectors } = selectorsFor(type, selection);
  try {
    const { client, namespace } = selection;
    const { objects } = await listObjects<T>({ client, namespace, type, ...selectors });
    return [...objects.values()];
  } catch (error) {
    if (optional && isNotServed(error)) return [];
    throw error;
  }
}
