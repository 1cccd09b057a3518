import type { DeploymentApi } from '../../domain/deployment/observation.js';
import { compareRevisions } from '../../domain/shared/revision.js';
import type { Deployment, Pod, ReplicaSet } from '../../kubernetes/objects.js';
import { annotations } from '../../kubernetes/deployments/annotations.js';
import { rollsBackOnFailure } from '../../kubernetes/deployments/read-wishes.js';
import { revisionOf, triggersOf } from '../revisions.js';
import { buildPods } from './build-pods.js';
import { describeDeployment } from './describe-deployment.js';
import { readSetHooks } from '../../kubernetes/deployments/set-hooks.js';
import { readHooks } from '../../kubernetes/hooks/read-hooks.js';
import { describeHooks } from './describe-hooks.js';
import { groupByOwner } from './group-by-owner.js';
import type { DeploymentTree, RevisionTree } from './tree.js';

export interface DeploymentObjects {
  /** With `apiVersion` and `kind`, which tell the two APIs apart. */
  readonly deployments: Iterable<Deployment>;
  readonly replicaSets: Iterable<ReplicaSet>;
  readonly pods: Iterable<Pod>;
  /** Those of hooks, which have none of their Deployment's labels. */
  readonly runOncePods?: readonly Pod[];
}

/** Puts objects under their owners, by the controller's uid as the garbage collector does. */
export function buildDeploymentTrees({
  deployments,
  replicaSets,
  pods,
  runOncePods = [],
}: DeploymentObjects): DeploymentTree[] {
  const setsByOwner = groupByOwner(replicaSets);
  const podsByOwner = groupByOwner(pods);
  return [...deployments].map((deployment) =>
    buildTree(deployment, setsByOwner.get(deployment.metadata.uid ?? '') ?? [], (set) => ({
      // Pods of hooks are nobody's replicas.
      hooks: describeHooks({
        holder: set,
        wishes: readHooks(readSetHooks(set)),
        pods: runOncePods,
      }),
      pods: buildPods(podsByOwner.get(set.metadata.uid ?? '') ?? []),
    })),
  );
}

function buildTree(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  below: (set: ReplicaSet) => Pick<RevisionTree, 'hooks' | 'pods'>,
): DeploymentTree {
  const newestFirst = sets.toSorted((a, b) => compareRevisions(revisionOf(b), revisionOf(a)));
  const { phase, paused, rolledBackAt, heldBy, message, replicas } = describeDeployment(deployment);
  return {
    apiVersion: deployment.apiVersion ?? 'apps/v1',
    kind: 'Deployment',
    namespace: deployment.metadata.namespace ?? '',
    name: deployment.metadata.name,
    phase,
    paused,
    rollbackOnFailure: rollsBackOnFailure(apiOf(deployment), deployment),
    rolledBackAt,
    heldBy,
    message,
    replicas,
    revisions: newestFirst.map((set, index) => ({
      ...describeRevision(set, index === 0),
      ...below(set),
    })),
  };
}

const apiOf = ({ apiVersion }: Deployment): DeploymentApi =>
  apiVersion === 'slipway.dev/v1alpha1' ? apiVersion : 'apps/v1';

function describeRevision(set: ReplicaSet, current: boolean): Omit<RevisionTree, 'hooks' | 'pods'> {
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
  };
}
