import type { DeploymentConfig } from '../../kubernetes/deployment-configs/objects.js';
import type { ImageRepository } from '../../kubernetes/image-repositories/objects.js';
import type { Deployment, KubernetesObject, Pod, ReplicaSet } from '../../kubernetes/objects.js';
import { resources, type ResourceType } from '../../kubernetes/resources.js';
import {
  configAnnotations,
  deployerPodLabel,
} from '../../kubernetes/deployment-configs/annotations.js';
import { selectorOf } from '../revisions.js';
import { buildConfigTrees } from './build-config-trees.js';
import { buildDeploymentTrees } from './build-deployment-trees.js';
import { buildRepositoryTrees } from './build-repository-trees.js';
import { compareText } from './compare-text.js';
import type { Tree } from './tree.js';

/** All objects of a kind that were seen. */
export type Seen = (type: ResourceType) => readonly KubernetesObject[];

export interface TreeKind {
  /** The kinds without which nothing can be said about it. */
  readonly needs: readonly ResourceType[];
  /** Those that only a whole tree shows. */
  readonly details: readonly ResourceType[];
  /** What narrows another kind to what belongs to one object. */
  readonly narrow: (root: KubernetesObject, type: ResourceType) => string | undefined;
  readonly build: (roots: readonly KubernetesObject[], seen: Seen) => readonly Tree[];
}

/** Pods of hooks, which are looked for apart: they have none of their Deployment's labels. */
const runOncePods: ResourceType = { ...resources.pods };

/** What is wanted of a kind, whichever objects are looked at. */
export const commonSelectorOf = (type: ResourceType): string | undefined =>
  type === runOncePods ? deployerPodLabel : undefined;

const deploymentTrees: TreeKind = {
  needs: [],
  details: [resources.replicaSets, resources.pods, runOncePods],
  narrow: (root) => selectorOf(root),
  build: (roots, seen) =>
    buildDeploymentTrees({
      deployments: roots as readonly Deployment[],
      replicaSets: seen(resources.replicaSets) as readonly ReplicaSet[],
      pods: seen(resources.pods) as readonly Pod[],
      runOncePods: seen(runOncePods),
    }),
};

const configTrees: TreeKind = {
  // The pods of a version that fails are gone at once, so who wants to know why has to look before.
  needs: [resources.replicationControllers, resources.imageRepositories, resources.pods],
  details: [],
  narrow: ({ metadata }, type) =>
    type === resources.replicationControllers
      ? `${configAnnotations.configName}=${metadata.name}`
      : undefined,
  build: (roots, seen) =>
    buildConfigTrees({
      configs: roots as readonly DeploymentConfig[],
      controllers: seen(resources.replicationControllers),
      repositories: seen(resources.imageRepositories) as readonly ImageRepository[],
      pods: seen(resources.pods),
    }),
};

const repositoryTrees: TreeKind = {
  needs: [],
  details: [],
  narrow: () => undefined,
  build: (roots) => buildRepositoryTrees(roots as readonly ImageRepository[]),
};

const treeKinds: ReadonlyMap<ResourceType, TreeKind> = new Map([
  [resources.slipwayDeployments, deploymentTrees],
  [resources.builtInDeployments, deploymentTrees],
  [resources.deploymentConfigs, configTrees],
  [resources.imageRepositories, repositoryTrees],
]);

export function treeKindOf(type: ResourceType): TreeKind {
  const found = treeKinds.get(type);
  if (found === undefined) throw new Error(`there are no trees of ${type.kind}s`);
  return found;
}

/** Everything that has to be seen before trees of these kinds can be built, each once. */
export function listNeeds(types: readonly ResourceType[], isBrief: boolean): ResourceType[] {
  const branches = types.map(treeKindOf).flatMap(({ needs, details }) => {
    return isBrief ? needs : [...needs, ...details];
  });
  return [...new Set([...types, ...branches])];
}

export function buildTrees(types: readonly ResourceType[], seen: Seen): Tree[] {
  return sortTrees(types.flatMap((type) => treeKindOf(type).build(seen(type), seen)));
}

export function sortTrees<T extends Tree>(trees: readonly T[]): T[] {
  return trees.toSorted(
    (a, b) =>
      compareText(a.namespace, b.namespace) ||
      compareText(a.name, b.name) ||
      compareText(a.kind, b.kind) ||
      compareText(a.apiVersion, b.apiVersion),
  );
}
