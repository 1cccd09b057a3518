import type { Revision } from '../domain/shared/revision.js';
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
  readonly revision: Revision;
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

/** What a plan writes. */
export interface Work {
  readonly actions: readonly Action[];
  readonly status?: DeploymentStatus;
  readonly triggers?: readonly Trigger[];
}

export interface AdvanceRequest {
  readonly ref: DeploymentRef;
  /** What the caller has seen or written. Absent: whatever is there is looked at, at once. */
  readonly since?: Versions;
  /** What to carry out first, made from what was seen then. */
  readonly work?: Work;
  /**
   * What to wait for then: only that all of that has come back by the watch, or that there is work to do,
   * which is done as long as it is in the ordinary course of a rollout.
   */
  readonly until: 'caughtUp' | 'work';
  /** When to look again if nothing happens. */
  readonly untilMs?: number;
  /** What the apiserver would not have, when it was last asked. */
  readonly refusal?: string;
}

/** A step that was taken, for whoever reads the history. */
export interface Step {
  readonly atMs: number;
  readonly summary: string;
}

/**
 * The plan is made where the look is taken and is kept in the history: a later version of the planner
 * never changes what a run has already done.
 */
export interface Seen {
  readonly kind: 'seen';
  readonly observedAtMs: number;
  readonly uid: string;
  readonly plan: DeploymentPlan;
  /** Whether the plan was carried out already; else that is for the workflow to ask for. */
  readonly isDone: boolean;
  /** As they are now. */
  readonly versions: Versions;
  /** The steps that led here, oldest first. */
  readonly steps: readonly Step[];
}

export type AdvanceResult =
  | Seen
  /** Nothing was left to do until now. */
  | { readonly kind: 'unchanged'; readonly versions?: Versions }
  | { readonly kind: 'gone' }
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
  readonly advanceDeployment: (request: AdvanceRequest) => Promise<AdvanceResult>;
  readonly setPaused: (request: SetPausedRequest) => Promise<WriteResult>;
  readonly applyDeployment: (request: ApplyRequest) => Promise<WriteResult>;
}

/** What the `watch` workflow asks of the world: lasts until the worker ends. */
export interface WatchActivities {
  readonly watchCluster: (request: { readonly cluster: string }) => Promise<void>;
}
