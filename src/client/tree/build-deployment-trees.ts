import type { DeploymentApi } from '../../domain/deployment/observation.js';
import { compareRevisions } from '../../domain/shared/revision.js';
import type { Deployment, Pod, ReplicaSet } from '../../kubernetes/objects.js';
import { annotations } from '../../kubernetes/deployments/annotations.js';
import { rollsBackOnFailure } from '../../kubernetes/deployments/read-wishes.js';
import { revisionOf, triggersOf } from '../revisions.js';
import { buildPods } from './build-pods.js';
import { describeDeployment } from './describe-deployment.js';
import { groupByOwner } from './group-by-owner.js';
import type { DeploymentTree, RevisionTree } from './tree.js';

export interface DeploymentObjects {
  /** With `apiVersion` and `kind`, which tell the two APIs apart. */
  readonly deployments: Iterable<Deployment>;
  readonly replicaSets: Iterable<ReplicaSet>;
  readonly pods: Iterable<Pod>;
}

/** Puts objects under their owners, by the controller's uid as the garbage collector does. */
export function buildDeploymentTrees({
  deployments,
  replicaSets,
  pods,
}: DeploymentObjects): DeploymentTree[] {
  const setsByOwner = groupByOwner(replicaSets);
  const podsByOwner = groupByOwner(pods);
  return [...deployments].map((deployment) =>
    buildTree(deployment, setsByOwner.get(deployment.metadata.uid ?? '') ?? [], podsByOwner),
  );
}

function buildTree(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  podsByOwner: ReadonlyMap<string, readonly Pod[]>,
): DeploymentTree {
  const newestFirst = sets.toSorted((a, b) => compareRevisions(revisionOf(b), revisionOf(a)));
  const { phase, paused, rolledBackAt, message, replicas } = describeDeployment(deployment);
  return {
    apiVersion: deployment.apiVersion ?? 'apps/v1',
    kind: 'Deployment',
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
    pods: buildPods(pods),
  };
}
