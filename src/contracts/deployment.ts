import type { DeploymentApi, DeploymentStatus, Trigger } from '../domain/deployment/observation.js';
import type { Action, DeploymentPlan, Phase, SetSize } from '../domain/deployment/plan.js';
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
  readonly sets: readonly SetSize[];
  /** What started what this run carries out; empty for an automatic rollback. */
  readonly triggers?: readonly Trigger[];
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
  /**
   * What to wait for: that all of that has come back by the watch, that there is work to do, or that
   * there is work and something is newer, because the last try was refused.
   */
  readonly until: 'caughtUp' | 'work' | 'newWork';
  readonly withinMs: number;
  /** What the apiserver would not have, when it was last asked. */
  readonly refusal?: string;
}

/**
 * The plan is made where the look is taken and is kept in the history: a later version of the planner
 * never changes what a run has already done.
 */
export interface Seen {
  readonly kind: 'seen';
  readonly observedAtMs: number;
  readonly uid: string;
  readonly generation: number;
  readonly plan: DeploymentPlan;
  readonly versions: Versions;
}

export type ObserveResult =
  Seen | { readonly kind: 'unchanged' } | { readonly kind: 'gone' } | Elsewhere;

export interface CarryOutRequest {
  readonly ref: DeploymentRef;
  /** Which Deployment, and which state of its spec, the plan was made for. */
  readonly uid: string;
  readonly generation: number;
  readonly versions: Versions;
  readonly actions: readonly Action[];
  readonly status?: DeploymentStatus;
  readonly triggers?: readonly Trigger[];
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
  /** Which Deployment is meant, where it has been seen: not another one of the same name. */
  readonly uid?: string;
  readonly paused: boolean;
  readonly reason?: string;
  /** Paused for good: the run ends, and only a resume starts another. */
  readonly cancelled?: boolean;
}

export interface ApplyRequest {
  readonly ref: DeploymentRef;
  readonly manifest: Manifest;
}

export type WriteResult =
  | { readonly kind: 'done'; readonly version: string }
  /** There is no such Deployment, any more. */
  | { readonly kind: 'gone' }
  | Elsewhere;

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
