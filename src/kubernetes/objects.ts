import type { V1Deployment, V1Pod, V1ReplicaSet } from '@kubernetes/client-node';

import type { HookStrategy } from './hooks/objects.js';
import type { Wire } from './wire.js';

export interface ObjectMeta {
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  finalizers?: string[];
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  managedFields?: FieldsOwner[];
}

/** Who wrote which fields, as the apiserver keeps it. */
export interface FieldsOwner {
  manager?: string;
  subresource?: string;
  time?: string;
  fieldsV1?: Record<string, unknown>;
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface KubernetesObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
}

export interface ObjectList<T> {
  metadata: { resourceVersion?: string; continue?: string };
  items: T[];
}

/** An object of the official client's types, as it stands on the wire and with a name. */
export type Named<T> = Omit<Wire<T>, 'metadata'> & { metadata: ObjectMeta };

export type ReplicaSet = Named<V1ReplicaSet>;
export type Pod = Named<V1Pod>;
export type PodTemplate = NonNullable<NonNullable<ReplicaSet['spec']>['template']>;

/** A Deployment of either API: ours has the built-in one's spec and a few fields more. */
export type Deployment = Omit<Named<V1Deployment>, 'spec'> & { spec?: DeploymentSpec };

export type DeploymentSpec = Omit<NonNullable<Wire<V1Deployment>['spec']>, 'strategy'> & {
  strategy?: NonNullable<Wire<V1Deployment>['spec']>['strategy'] & HookStrategy;
  rollbackTo?: { revision?: number };
  rollbackOnFailure?: boolean;
  rollbackOverHooks?: boolean;
  triggers?: string[];
};
