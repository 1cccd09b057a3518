import type { Author } from '../shared/author.js';
import type { Revision } from '../shared/revision.js';
import type { Condition } from '../shared/conditions.js';
import type { HookMoment, HookSummary } from '../shared/hook.js';
import type { Stay } from '../shared/stay.js';
import type { Strategy } from '../shared/strategy.js';

/** Which of the two APIs a Deployment is of. */
export type DeploymentApi = 'apps/v1' | 'slipway.dev/v1alpha1';

/** What starts a rollout. */
export type Trigger = 'Manual' | 'Autoscaler' | 'NewImage' | 'ConfigChange';

/** What differs between two templates: an image, the mark of a restart, or anything else. */
export type TemplateChange = 'image' | 'restart' | 'config';

/** Why a rollout is judged to have failed before its time. */
export type RollbackReason = 'ProgressDeadlineExceeded' | 'PodsCrash' | 'HookFailed';

/** What an automatic rollback leaves on the Deployment, until the template changes again. */
export interface RollbackNote {
  /** Names of ReplicaSets: the one that failed, and the one that was gone back to. */
  readonly from: string;
  readonly to: string;
  readonly reason: RollbackReason;
  readonly message: string;
}

/** What a decision needs to know of a Deployment; small, because it is kept in the run's history. */
export interface DeploymentSummary {
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  readonly replicas: number;
  readonly paused: boolean;
  /** Why it was paused, in the words of whoever did it. */
  readonly pauseReason?: string;
  /** Set when the rollout was cancelled: it stays paused where it is. */
  readonly cancelReason?: string;
  /** Who cancelled it, where they said so. */
  readonly cancelledBy?: string;
  readonly beingDeleted: boolean;
  readonly strategy: Strategy;
  readonly minReadySeconds: number;
  readonly progressDeadlineSeconds?: number;
  readonly revisionHistoryLimit?: number;
  /** What is wrong with the spec, naming the field; nothing is touched until it is mended. */
  readonly problem?: string;
  /** What is wrong with the template; nothing is touched until it is mended or rolled back. */
  readonly templateProblem?: string;
  /** The revision that somebody wishes to go back to; 0 is the one before the current one. */
  readonly rollbackTo?: Revision;
  /** Whether a rollout that fails goes back by itself. */
  readonly rollsBackOnFailure?: boolean;
  /** Whether it does so even where a hook has done what nothing reverts. */
  readonly rollsBackOverHooks?: boolean;
  /** The moments for which a rollout that begins now has hooks. */
  readonly hookMoments?: readonly HookMoment[];
  /** The automatic rollback that brought the template there, if one did. */
  readonly rolledBack?: RollbackNote;
  /** What whoever wrote the spec says has started the rollout. */
  readonly statedTriggers?: readonly Trigger[];
  /** How the template differs from that of the newest old set; absent where there is none. */
  readonly templateChanges?: readonly TemplateChange[];
  /** Who wrote the template. */
  readonly author?: Author;
  /** Who wrote `spec.replicas` last. */
  readonly scaledBy?: 'Autoscaler' | 'Manual';
  /** The name that a new ReplicaSet for the current template would get. */
  readonly newReplicaSetName: string;
  /** The Deployment's own revision annotation; 0 when it has none. */
  readonly revision: Revision;
  readonly status: DeploymentStatus;
}

export interface ReplicaSetSummary {
  readonly name: string;
  readonly uid: string;
  /** Its template is the Deployment's current one. */
  readonly isNew: boolean;
  /** Matches the selector and has no controller yet. */
  readonly isOrphan: boolean;
  /** Is controlled by the Deployment, but its labels don't match the selector any more. */
  readonly isStray?: boolean;
  readonly revision: Revision;
  readonly createdAtMs: number;
  /** `spec.replicas`: how many pods it is asked for. */
  readonly desired: number;
  /** The counts of its status. */
  readonly replicas: number;
  readonly ready: number;
  readonly available: number;
  readonly terminating?: number;
  /** Whether those counts speak of the current spec. */
  readonly statusIsCurrent: boolean;
  /** Its annotations and `minReadySeconds` are what the Deployment hands down. */
  readonly inSync: boolean;
  /** The annotations that tell which size of the Deployment its own size was a share of. */
  readonly annotatedDesired?: number;
  readonly annotatedMax?: number;
  readonly beingDeleted: boolean;
  /** The set that was complete when this one's rollout began; itself, once it is known to be. */
  readonly lastComplete?: string;
  /** Why an automatic rollback has turned away from it. */
  readonly failed?: string;
  /** Its hooks, with how far they are. */
  readonly hooks?: readonly HookSummary[];
  /** Somebody wants its failed hooks tried again. */
  readonly isRetried?: boolean;
  /** The latest time that it was the new one, where that was noted. */
  readonly lastStay?: Pick<Stay, 'revision' | 'end' | 'backTo' | 'by'>;
  /** Why one of its pods can't stay up, where pods are looked at. */
  readonly crash?: string;
  /** Why its pods can't be created, where that is so. */
  readonly failure?: { readonly reason: string; readonly message: string };
}

export interface DeploymentObservation {
  readonly observedAtMs: number;
  readonly deployment: DeploymentSummary;
  /** Those it owns, and the orphans it should own. */
  readonly replicaSets: readonly ReplicaSetSummary[];
  /** Pods of old ReplicaSets that still exist; counted for strategy Recreate only. */
  readonly oldPods?: number;
}

/** Whether a set became the new one by an automatic rollback: nobody's deployment, so no hook runs for it. */
export const isReturn = (
  { rolledBack }: DeploymentSummary,
  newSet: Pick<ReplicaSetSummary, 'name'>,
): boolean => rolledBack?.to === newSet.name;

export interface DeploymentStatus {
  readonly observedGeneration: number;
  readonly replicas: number;
  readonly updatedReplicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly unavailableReplicas: number;
  readonly terminatingReplicas?: number;
  readonly collisionCount?: number;
  readonly conditions: readonly Condition[];
}
