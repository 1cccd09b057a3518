import type { DeploymentStatus } from './observation.js';

/** What people and the search attribute `SlipwayPhase` call the state of a rollout. */
export type Phase = 'Progressing' | 'Paused' | 'Complete' | 'Failed' | 'Cancelled' | 'Deleted';

/** The sizes that a ReplicaSet's own size is a share of; kept in its annotations. */
export interface SizeAnnotations {
  readonly desired: number;
  readonly max: number;
}

export type Action =
  | {
      readonly kind: 'createReplicaSet';
      readonly name: string;
      readonly replicas: number;
      readonly revision: number;
      readonly sizes: SizeAnnotations;
    }
  | {
      readonly kind: 'scaleReplicaSet';
      readonly name: string;
      readonly uid: string;
      readonly from: number;
      readonly to: number;
      readonly sizes: SizeAnnotations;
    }
  /** Hands down annotations and `minReadySeconds`, and moves the revision where it differs. */
  | {
      readonly kind: 'syncReplicaSet';
      readonly name: string;
      readonly uid: string;
      readonly revision: number;
    }
  | { readonly kind: 'adoptReplicaSet'; readonly name: string; readonly uid: string }
  /** Removes what was noted about a pause that is over. */
  | { readonly kind: 'clearPauseNotes' }
  | { readonly kind: 'deleteReplicaSet'; readonly name: string; readonly uid: string }
  | { readonly kind: 'recordRevision'; readonly revision: number };

export type Next =
  /** Look again when something changes, or at that time at the latest. */
  | { readonly kind: 'wait'; readonly untilMs?: number }
  /** Nothing is left to do until the Deployment or its pods change. */
  | { readonly kind: 'end' };

/** Why a rollout failed; also the reason of its `Progressing` condition. */
export type FailureReason =
  'ProgressDeadlineExceeded' | 'InvalidTemplate' | 'ReplicaSetCreateError';

/** A ReplicaSet that has pods or is to have some, for whoever looks at the run. */
export interface SetSize {
  readonly name: string;
  readonly revision: number;
  readonly isNew: boolean;
  readonly desired: number;
  readonly replicas: number;
  readonly available: number;
}

export interface DeploymentPlan {
  readonly phase: Phase;
  /** With phase Failed. */
  readonly failure?: FailureReason;
  /** What is being done and why, in a sentence for whoever looks at the run. */
  readonly summary: string;
  readonly revision: number;
  readonly sets: readonly SetSize[];
  readonly actions: readonly Action[];
  /** Present when it differs from the status that stands there. */
  readonly status?: DeploymentStatus;
  readonly next: Next;
}

/** Whether there is anything to write. */
export function hasWrites({ actions, status }: DeploymentPlan): boolean {
  return actions.length > 0 || status !== undefined;
}

/** Whether a plan asks for anything but to go on waiting. */
export function hasWork(plan: DeploymentPlan): boolean {
  return hasWrites(plan) || plan.next.kind === 'end';
}

/** Whether nothing is left to write and nothing to wait for. */
export function isSettled(plan: DeploymentPlan): boolean {
  return !hasWrites(plan) && plan.next.kind === 'end';
}
