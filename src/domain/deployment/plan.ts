import { describeConditions } from '../shared/conditions.js';
import type { HookTurn } from '../shared/hook.js';
import type { Next } from '../shared/next.js';
import type { Revision } from '../shared/revision.js';
import type { StayNews } from '../shared/stay.js';
import type { StayBeginning } from './stay-beginning.js';
import { isComplete } from './judge-progress.js';
import type {
  DeploymentObservation,
  DeploymentStatus,
  RollbackNote,
  Trigger,
} from './observation.js';

/** What people and the search attribute `SlipwayPhase` call the state of a rollout. */
export type Phase =
  | 'Progressing'
  | 'Paused'
  | 'Complete'
  /** Complete, but with the template that an automatic rollback went back to. */
  | 'RolledBack'
  | 'Failed'
  | 'Cancelled'
  | 'Deleted';

/** What a ReplicaSet remembers of the rollout that made it the new one. */
export interface RolloutMemory {
  readonly triggers: readonly Trigger[];
  /** The set that was complete then: what an automatic rollback goes back to. */
  readonly lastComplete?: string;
  /** What the history is to know of it. */
  readonly beginning?: StayBeginning;
}

/** What became of one revision of a ReplicaSet. */
export interface ToldStay {
  readonly revision: Revision;
  readonly news: StayNews;
}

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
      readonly revision: Revision;
      readonly sizes: SizeAnnotations;
      readonly memory: RolloutMemory;
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
      readonly revision: Revision;
      /** When it becomes the new set again. */
      readonly memory?: RolloutMemory;
      /** Whether its hooks are to run again, as the Deployment has them now. */
      readonly renewsHooks?: boolean;
    }
  /** Lets hooks that failed or were stopped run again; one that has succeeded never does. */
  /** Makes hooks ready to run again: those that failed, or only those that were stopped with their rollout. */
  | {
      readonly kind: 'resetHooks';
      readonly name: string;
      readonly uid: string;
      readonly only?: 'stopped';
    }
  | { readonly kind: 'adoptReplicaSet'; readonly name: string; readonly uid: string }
  | { readonly kind: 'releaseReplicaSet'; readonly name: string; readonly uid: string }
  /** Remembers that the rollout of a set has ended well, whatever was said of it before. */
  | {
      readonly kind: 'markComplete';
      readonly name: string;
      readonly uid: string;
      readonly told?: ToldStay;
    }
  /** Keeps a set that an automatic rollback turned away from from being rolled back twice. */
  | {
      readonly kind: 'markFailed';
      readonly name: string;
      readonly uid: string;
      readonly message: string;
      readonly told?: ToldStay;
    }
  /** Notes what became of a revision, for the history. */
  | {
      readonly kind: 'tellStay';
      readonly name: string;
      readonly uid: string;
      readonly told: ToldStay;
    }
  /** Gives the Deployment the template of that set, and takes the wish for it away. */
  | {
      readonly kind: 'rollBack';
      readonly name: string;
      readonly uid: string;
      readonly revision: Revision;
      /** When nobody asked for it. */
      readonly note?: RollbackNote;
    }
  /** Takes away the wish for a rollback that can't be met. */
  | { readonly kind: 'clearRollback' }
  /** Removes what was noted about an automatic rollback that a new template has overtaken. */
  | { readonly kind: 'clearRollbackNote' }
  /** Says something in a Kubernetes event. */
  | {
      readonly kind: 'announce';
      readonly type: 'Normal' | 'Warning';
      readonly reason: string;
      readonly note: string;
    }
  /** Removes what was noted about a pause that is over. */
  | { readonly kind: 'clearPauseNotes' }
  | { readonly kind: 'deleteReplicaSet'; readonly name: string; readonly uid: string }
  | { readonly kind: 'recordRevision'; readonly revision: Revision };

/** Why a rollout failed; also the reason of its `Progressing` condition. */
export type FailureReason =
  'ProgressDeadlineExceeded' | 'HookFailed' | 'InvalidTemplate' | 'ReplicaSetCreateError';

/** A ReplicaSet that has pods or is to have some, for whoever looks at the run. */
export interface SetSize {
  readonly name: string;
  readonly revision: Revision;
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
  readonly revision: Revision;
  readonly sets: readonly SetSize[];
  /** What started it, in the plan that starts a rollout or a scaling. */
  readonly triggers?: readonly Trigger[];
  readonly actions: readonly Action[];
  /** Present when it differs from the status that stands there. */
  readonly status?: DeploymentStatus;
  /** A hook whose turn it is; its run is started where there is none. */
  readonly hook?: HookTurn;
  readonly next: Next;
}

/**
 * A plan's actions in the order of their writing. Those of one stage may be written side by side; a later
 * stage needs all of the one before: a set may grow into the room that others leave, once they have.
 */
export function toStages(actions: readonly Action[]): readonly (readonly Action[])[] {
  const grows = (action: Action): boolean =>
    action.kind === 'scaleReplicaSet' && action.to > action.from;
  const stages = [actions.filter((action) => !grows(action)), actions.filter(grows)];
  return stages.filter((stage) => stage.length > 0);
}

/** Whether there is anything to write. */
export function hasWrites({ actions, status }: DeploymentPlan): boolean {
  return actions.length > 0 || status !== undefined;
}

/** Whether a plan asks for anything but to go on waiting. */
export function hasWork(plan: DeploymentPlan): boolean {
  return hasWrites(plan) || plan.next.kind === 'end';
}

/** Whether a plan goes back though nobody asked for it. */
export const goesBackByItself = ({ actions }: DeploymentPlan): boolean =>
  actions.some((action) => action.kind === 'rollBack' && action.note !== undefined);

/** Whether a plan is a step like any other, which the run need not know of beforehand. */
export function isOrdinary(plan: DeploymentPlan): boolean {
  const isCourse = plan.phase === 'Progressing' || plan.phase === 'Complete';
  return isCourse && hasWrites(plan) && !goesBackByItself(plan);
}

/** Whether a plan asks for more than to write down counts that have changed by themselves. */
export function isUrgent(plan: DeploymentPlan, seen: DeploymentObservation): boolean {
  return plan.actions.length > 0 || isSettled(plan) || isNews(plan, seen);
}

/** Whether a plan's status says more than other counts: somebody may wait for that. */
export function isNews({ status, next }: DeploymentPlan, seen: DeploymentObservation): boolean {
  if (status === undefined) return false;
  const { deployment } = seen;
  const before = deployment.status;
  return (
    (next.kind === 'end' && !isComplete(deployment, before)) ||
    status.observedGeneration !== before.observedGeneration ||
    describeConditions(status.conditions) !== describeConditions(before.conditions)
  );
}

/** Whether nothing is left to write and nothing to wait for. */
export function isSettled(plan: DeploymentPlan): boolean {
  return !hasWrites(plan) && plan.next.kind === 'end';
}
