import type { Manifest } from './parse-manifests.js';

/** What others need comes first: what holds objects, then what pods are made with, then workloads. */
const ranks: readonly (readonly string[])[] = [
  ['Namespace', 'CustomResourceDefinition', 'PriorityClass', 'StorageClass'],
  ['ServiceAccount', 'Secret', 'ConfigMap', 'ResourceQuota', 'LimitRange'],
  ['PersistentVolume', 'PersistentVolumeClaim'],
  ['ClusterRole', 'Role'],
  ['ClusterRoleBinding', 'RoleBinding'],
  ['Service', 'NetworkPolicy'],
  ['ImageRepository'],
];

/** Those that start pods; every other kind goes between the ones above and these. */
const workloads = [
  'CronJob',
  'DaemonSet',
  'Deployment',
  'DeploymentConfig',
  'Job',
  'Pod',
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
];

/** The order to apply them in; objects of one rank stay as the files have them. */
export function orderManifests(manifests: readonly Manifest[]): readonly Manifest[] {
  return [...manifests].sort((one, other) => rankOf(one) - rankOf(other));
}

function rankOf({ type: { kind } }: Manifest): number {
  if (workloads.includes(kind)) return ranks.length + 1;
  const rank = ranks.findIndex((kinds) => kinds.includes(kind));
  return rank === -1 ? ranks.length : rank;
}
