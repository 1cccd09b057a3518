import type { ConfigStatus } from '../domain/deployment-config/observation.js';
import type {
  VersionAction,
  VersionPlan,
  VersionRunPhase,
} from '../domain/deployment-config/plan.js';
import type { RollbackWish } from '../domain/rollback/wish.js';
import type { HookTurn } from '../domain/shared/hook.js';
import type { AdvanceRequest, AdvanceResult, Elsewhere, Seen, Versions } from './advance.js';
import type { Manifest, WriteResult } from './deployment.js';
import type { ObjectRef } from './workflow-ids.js';

/** One version of a DeploymentConfig. */
export interface VersionRef extends ObjectRef {
  readonly version: number;
}

/** Who asks for a version, and why. */
export interface VersionWish {
  readonly by?: string;
  readonly reason?: string;
}

/**
 * What a run is started with: a version to bring to rest, which may have to be seen first; with a request, one
 * to ask for first; with a rollback, one to go back with; or a manifest to apply and to make that version from,
 * or with a rollback and no spec. The version is in the workflow id: the one after the latest.
 */
export type VersionInput =
  | (VersionRef & { readonly since?: Versions })
  | (VersionRef & { readonly request: VersionWish })
  | (VersionRef & { readonly rollback: Partial<RollbackWish> })
  | Manifest;

/** What a plan for a version writes. */
export interface VersionWork {
  readonly actions: readonly VersionAction[];
  readonly status?: ConfigStatus;
}

export interface VersionRequest extends AdvanceRequest<VersionRef, VersionWork> {
  /** The hook that the run has started, and that is therefore no news to it. */
  readonly startedHook?: HookTurn;
}

export type VersionSeen = Seen<VersionPlan>;

export interface VersionOutcome {
  readonly phase: VersionRunPhase;
  readonly version: number;
  readonly summary: string;
}

export interface SetConfigPausedRequest {
  readonly ref: ObjectRef;
  readonly paused: boolean;
  readonly reason?: string;
}

export interface CancelVersionRequest {
  readonly ref: VersionRef;
  readonly reason: string;
}

export interface ApproveVersionRequest {
  readonly ref: VersionRef;
  readonly reason?: string;
  /** As it was sent: whether it is one is for the activity to say. */
  readonly winner?: string;
}

export interface RetryVersionRequest {
  readonly ref: VersionRef;
  readonly reason?: string;
}

export interface RequestVersionRequest {
  readonly ref: VersionRef;
  readonly wish: VersionWish;
  readonly manifest?: Manifest;
  /** Of the run that asks. */
  readonly runId: string;
}

export type RequestResult =
  /** With what must be seen before the version is looked at. */
  { readonly kind: 'done'; readonly versions: Versions } | { readonly kind: 'gone' } | Elsewhere;

/** There was nothing to write, and why. */
export type WishResult = WriteResult | { readonly kind: 'needless'; readonly why: string };

/** What the `deploymentConfig` workflow asks of the world. */
export interface VersionActivities {
  readonly advanceVersion: (request: VersionRequest) => Promise<AdvanceResult<VersionPlan>>;
  readonly setConfigPaused: (request: SetConfigPausedRequest) => Promise<WriteResult>;
  readonly cancelVersion: (request: CancelVersionRequest) => Promise<WishResult>;
  readonly approveVersion: (request: ApproveVersionRequest) => Promise<WishResult>;
  readonly requestVersion: (request: RequestVersionRequest) => Promise<RequestResult>;
  readonly retryVersion: (request: RetryVersionRequest) => Promise<WishResult>;
}
