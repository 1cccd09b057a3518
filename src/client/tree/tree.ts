import type { DeploymentPhase, ReplicaCounts } from './describe-deployment.js';

/**
 * What `slipway get -o json|yaml` prints: `{items: DeploymentTree[]}`, and with -w one DeploymentTree per
 * change. The shape is a promise to scripts: fields are added, but none is renamed or taken away.
 */
export interface TreeList {
  readonly items: readonly DeploymentTree[];
}

export interface DeploymentTree {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly phase: DeploymentPhase;
  readonly paused: boolean;
  readonly rollbackOnFailure: boolean;
  readonly rolledBackAt: string | null;
  readonly message: string;
  readonly replicas: ReplicaCounts;
  /** Newest first. */
  readonly revisions: readonly RevisionTree[];
  /** Only in the last document that `-w` prints of an object that is gone. */
  readonly deleted?: true;
}

export interface RevisionTree {
  readonly revision: number;
  readonly replicaSet: string;
  /** The newest one: the Deployment's template as a controller last saw it. */
  readonly current: boolean;
  readonly images: readonly string[];
  readonly changeCause: string | null;
  /** What started its rollout: Manual, Autoscaler, NewImage, ConfigChange. */
  readonly triggers: readonly string[];
  readonly created: string | null;
  readonly replicas: {
    readonly desired: number;
    readonly ready: number;
    readonly available: number;
  };
  readonly pods: readonly PodTree[];
}

export interface PodTree {
  readonly name: string;
  readonly status: string;
  readonly ready: boolean;
  readonly readyContainers: number;
  readonly containers: number;
  readonly restarts: number;
  readonly node: string | null;
  readonly created: string | null;
}
