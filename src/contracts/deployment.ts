import type {
  DeploymentApi,
  DeploymentObservation,
  DeploymentStatus,
} from '../domain/deployment/observation.js';
import type { Action, Phase } from '../domain/deployment/plan.js';
import type { ObjectRef } from './workflow-ids.js';

/** A Deployment of one of both APIs. */
export interface DeploymentRef extends ObjectRef {
  readonly api: DeploymentApi;
}

/** A manifest as CI sends it; checked by the apiserver, which knows it best. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/**
 * What a run is started with: which Deployment to bring to rest, or a manifest to apply first. The
 * cluster, and whatever else is missing, is in the workflow id.
 */
export type DeploymentInput = DeploymentRef | Manifest;

export interface DeploymentOutcome {
  readonly phase: Phase;
  readonly revision: number;
  readonly summary: string;
}

/** The answer to the query `status`. */
export interface DeploymentRunStatus extends DeploymentOutcome {
  readonly observation?: DeploymentObservation;
}

/** The resource versions of what was seen or written, so that only what is newer counts as a change. */
export interface Versions {
  readonly deployment: string;
  readonly replicaSets: Readonly<Record<string, string>>;
  readonly oldPods?: number;
}

/** This worker can't do it: it doesn't know the cluster, or another one watches it. */
export interface Elsewhere {
  readonly kind: 'elsewhere';
}

export interface ObserveRequest {
  readonly ref: DeploymentRef;
  /** What the caller has seen or written. Absent: whatever is there is looked at, at once. */
  readonly since?: Versions;
  /** Wait for something newer than that, even if there seems to be work: the last try was refused. */
  readonly mustDiffer?: boolean;
  readonly withinMs: number;
}

export type ObserveResult =
  | {
      readonly kind: 'seen';
      readonly observation: DeploymentObservation;
      readonly versions: Versions;
    }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'gone' }
  | Elsewhere;

export interface CarryOutRequest {
  readonly ref: DeploymentRef;
  readonly uid: string;
  readonly versions: Versions;
  readonly actions: readonly Action[];
  readonly status?: DeploymentStatus;
}

export type CarryOutResult =
  /** With the versions after the writes. */
  | { readonly kind: 'done'; readonly versions: Versions }
  /** Somebody else wrote first: look again. */
  | { readonly kind: 'stale'; readonly versions: Versions }
  /** The apiserver will not have it, whatever we do. */
  | { readonly kind: 'refused'; readonly problem: string; readonly versions: Versions }
  | Elsewhere;

export interface SetPausedRequest {
  readonly ref: DeploymentRef;
  readonly paused: boolean;
  readonly reason?: string;
  /** Paused for good: the run ends, and only a resume starts another. */
  readonly cancelled?: boolean;
}

export interface ApplyRequest {
  readonly ref: DeploymentRef;
  readonly manifest: Manifest;
}

export type WriteResult = { readonly kind: 'done'; readonly version: string } | Elsewhere;

/** What the `deployment` workflow asks of the world. */
export interface DeploymentActivities {
  readonly observeDeployment: (request: ObserveRequest) => Promise<ObserveResult>;
  readonly carryOutPlan: (request: CarryOutRequest) => Promise<CarryOutResult>;
  readonly setPaused: (request: SetPausedRequest) => Promise<WriteResult>;
  readonly applyDeployment: (request: ApplyRequest) => Promise<WriteResult>;
}

/** What the `watch` workflow asks of the world: lasts until the worker ends. */
export interface WatchActivities {
  readonly watchCluster: (request: { readonly cluster: string }) => Promise<void>;
}
