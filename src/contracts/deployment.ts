import type { HookTurn } from '../domain/shared/hook.js';
import type { Revision } from '../domain/shared/revision.js';
import type { DeploymentApi, DeploymentStatus, Trigger } from '../domain/deployment/observation.js';
import type { Action, DeploymentPlan, Phase, SetSize } from '../domain/deployment/plan.js';
import type { AdvanceRequest, AdvanceResult, Elsewhere, Seen } from './advance.js';
import type { ObjectRef } from './workflow-ids.js';

/** A Deployment of one of both APIs. */
export interface DeploymentRef extends ObjectRef {
  readonly api: DeploymentApi;
}

/** A manifest as CI sends it; checked by the apiserver, which knows it best. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Record<string, string>;
  };
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

/** What a plan writes. */
export interface Work {
  readonly actions: readonly Action[];
  readonly status?: DeploymentStatus;
  readonly triggers?: readonly Trigger[];
}

export type DeploymentSeen = Seen<DeploymentPlan>;

export interface DeploymentRequest extends AdvanceRequest<DeploymentRef, Work> {
  /** The hook that the run has started, and that is therefore no news to it. */
  readonly startedHook?: HookTurn;
}

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
  readonly advanceDeployment: (
    request: DeploymentRequest,
  ) => Promise<AdvanceResult<DeploymentPlan>>;
  readonly setPaused: (request: SetPausedRequest) => Promise<WriteResult>;
  readonly applyDeployment: (request: ApplyRequest) => Promise<WriteResult>;
}

/** What the `watch` workflow asks of the world: lasts until the worker ends. */
export interface WatchActivities {
  readonly watchCluster: (request: { readonly cluster: string }) => Promise<void>;
}
