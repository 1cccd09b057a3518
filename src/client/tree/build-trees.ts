import type { DeploymentApi } from '../../domain/deployment/observation.js';
import type { Deployment, KubernetesObject, Pod, ReplicaSet } from '../../kubernetes/objects.js';
import { annotations } from '../../kubernetes/deployments/annotations.js';
import { rollsBackOnFailure } from '../../kubernetes/deployments/read-wishes.js';
import { revisionOf, triggersOf } from '../revisions.js';
import { describeDeployment } from './describe-deployment.js';
import { describePod } from './describe-pod.js';
import type { DeploymentTree, PodTree, RevisionTree } from './tree.js';

export interface ClusterObjects {
  /** With `apiVersion` and `kind`, which tell the two APIs apart. */
  readonly deployments: Iterable<Deployment>;
  readonly replicaSets: Iterable<ReplicaSet>;
  readonly pods: Iterable<Pod>;
}

/** Puts objects under their owners, by the controller's uid as the garbage collector does. */
export function buildTrees({ deployments, replicaSets, pods }: ClusterObjects): DeploymentTree[] {
  const setsByOwner = groupByOwner(replicaSets);
  const podsByOwner = groupByOwner(pods);
  const trees = [...deployments].map((deployment) =>
    buildTree(deployment, setsByOwner.get(deployment.metadata.uid ?? '') ?? [], podsByOwner),
  );
  return trees.sort(
    (a, b) =>
      compareText(a.namespace, b.namespace) ||
      compareText(a.name, b.name) ||
      compareText(a.apiVersion, b.apiVersion),
  );
}

function buildTree(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  podsByOwner: ReadonlyMap<string, readonly Pod[]>,
): DeploymentTree {
  const newestFirst = sets.toSorted((a, b) => revisionOf(b) - revisionOf(a));
  const { phase, paused, rolledBackAt, message, replicas } = describeDeployment(deployment);
  return {
    apiVersion: deployment.apiVersion ?? 'apps/v1',
    kind: deployment.kind ?? 'Deployment',
    namespace: deployment.metadata.namespace ?? '',
    name: deployment.metadata.name,
    phase,
    paused,
    rollbackOnFailure: rollsBackOnFailure(apiOf(deployment), deployment),
    rolledBackAt,
    message,
    replicas,
    revisions: newestFirst.map((set, index) =>
      buildRevision(set, index === 0, podsByOwner.get(set.metadata.uid ?? '') ?? []),
    ),
  };
}

const apiOf = ({ apiVersion }: Deployment): DeploymentApi =>
  apiVersion === 'slipway.dev/v1alpha1' ? apiVersion : 'apps/v1';

function buildRevision(set: ReplicaSet, current: boolean, pods: readonly Pod[]): RevisionTree {
  return {
    revision: revisionOf(set),
    replicaSet: set.metadata.name,
    current,
    images: set.spec?.template?.spec?.containers.map(({ image }) => image ?? '') ?? [],
    changeCause: set.metadata.annotations?.[annotations.changeCause] ?? null,
    triggers: triggersOf(set),
    created: set.metadata.creationTimestamp ?? null,
    replicas: {
      desired: set.spec?.replicas ?? 1,
      ready: set.status?.readyReplicas ?? 0,
      available: set.status?.availableReplicas ?? 0,
    },
    pods: pods.toSorted((a, b) => compareText(a.metadata.name, b.metadata.name)).map(buildPod),
  };
}

function buildPod(pod: Pod): PodTree {
  const { status, isReady, readyContainers, containers, restarts } = describePod(pod);
  return {
    name: pod.metadata.name,
    status,
    ready: isReady,
    readyContainers,
    containers,
    restarts,
    node: pod.spec?.nodeName ?? null,
    created: pod.metadata.creationTimestamp ?? null,
  };
}

function groupByOwner<T extends KubernetesObject>(objects: Iterable<T>): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const object of objects) {
    const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
    if (owner === undefined) continue;
    const group = groups.get(owner.uid);
    if (group === undefined) groups.set(owner.uid, [object]);
    else group.push(object);
  }
  return groups;
}

/** Byte order, so that output doesn't change with the user's language. */
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
