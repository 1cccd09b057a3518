import type { Condition } from '../shared/conditions.js';
import type { IntOrPercent } from '../shared/int-or-percent.js';
import type { CanaryNotes, CanaryStage } from './canary-strategy.js';
import type { HookSummary } from '../shared/hook.js';
import type { RunOncePod } from '../shared/run-once-pod.js';

/** How far a version is; it only ever moves to the right, unless a failed one is tried again. */
export const versionPhases = ['New', 'Pending', 'Running', 'Complete', 'Failed'] as const;

export type VersionPhase = (typeof versionPhases)[number];

export const isOver = (phase: VersionPhase): boolean => phase === 'Complete' || phase === 'Failed';

export type VersionStrategy =
  | {
      readonly type: 'Recreate';
      readonly timeoutSeconds: number;
      /** How long it may take in all, however well it goes; absent where nobody asks for that. */
      readonly limitSeconds?: number;
    }
  | {
      readonly type: 'Canary';
      readonly timeoutSeconds: number;
      readonly stages: readonly CanaryStage[];
    }
  /** A pod of the user's own does it. */
  | {
      readonly type: 'Custom';
      /** How long the pod may take to start. */
      readonly timeoutSeconds: number;
      /** How long it may take in all. */
      readonly activeDeadlineSeconds: number;
    }
  /** One that this worker can't carry out, which it says instead of doing something else. */
  | { readonly type: 'Unknown'; readonly name: string; readonly timeoutSeconds: number }
  | {
      readonly type: 'Rolling';
      readonly timeoutSeconds: number;
      readonly maxSurge: IntOrPercent;
      readonly maxUnavailable: IntOrPercent;
      /** As for Recreate. */
      readonly limitSeconds?: number;
      /** How long to wait from one step to the next; absent where nobody asks for that. */
      readonly updatePeriodSeconds?: number;
    };

/** What a decision needs to know of a DeploymentConfig; small, because it is kept in the run's history. */
export interface ConfigSummary {
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  readonly latestVersion: number;
  /** The version that somebody asks for and that is not made yet. */
  readonly requestedVersion?: number;
  /** It has gone back to what it was, and the version of that is still to be made. */
  readonly isGoingBack?: boolean;
  readonly replicas: number;
  /** A test has pods only while it is being deployed. */
  readonly isTest: boolean;
  readonly paused: boolean;
  readonly pauseReason?: string;
  readonly revisionHistoryLimit?: number;
  readonly beingDeleted: boolean;
  /** Whether a version that fails leads to a rollback by itself, and whether also over hooks. */
  readonly rollsBackOnFailure?: boolean;
  readonly rollsBackOverHooks?: boolean;
  /** The version whose failure has led to one already. */
  readonly rolledBackFrom?: number;
  readonly status: ConfigStatus;
}

/** A ReplicationController that holds one version. */
export interface ControllerSummary {
  readonly name: string;
  readonly uid: string;
  readonly version: number;
  readonly phase: VersionPhase;
  /** How that version is to be rolled out, from its snapshot. */
  readonly strategy: VersionStrategy;
  readonly createdAtMs: number;
  readonly desired: number;
  readonly replicas: number;
  readonly ready: number;
  readonly available: number;
  /** Whether those counts speak of the current size. */
  readonly statusIsCurrent: boolean;
  /** Somebody wants it stopped. */
  readonly isCancelled: boolean;
  /** Somebody wants a failed one tried again. */
  readonly isRetried: boolean;
  readonly statusReason?: string;
  readonly beingDeleted: boolean;
  /** Why its pods can't be created, where that is so. */
  readonly failure?: { readonly reason: string; readonly message: string };
  /** How far it is, where its strategy is Canary. */
  readonly canary?: CanaryNotes;
  /** When its sizes were last changed; noted for a Rolling strategy that takes its time. */
  readonly steppedAtMs?: number;
  /** When it began to run; absent while it has not. */
  readonly startedAtMs?: number;
  /** Its hooks, with how far they are. */
  readonly hooks?: readonly HookSummary[];
  /** The pod that carries it out, with strategy Custom and once there is one. */
  readonly deployer?: RunOncePod;
}

/** A pod of a region. */
export interface RegionPod {
  readonly name: string;
  readonly uid: string;
  /** The version whose template it was made from; absent for one of before there was any. */
  readonly version?: number;
  readonly isReady: boolean;
  readonly isBeingDeleted: boolean;
}

/** A ReplicationController that a user has made part of the config, with a size and a place of its own. */
export interface RegionSummary {
  readonly name: string;
  readonly uid: string;
  /** The version whose template it has; absent before it has any. */
  readonly version?: number;
  readonly desired: number;
  readonly available: number;
  readonly statusIsCurrent: boolean;
  /** Its size from before it was emptied, to come back to. */
  readonly heldSize?: number;
  readonly pods: readonly RegionPod[];
}

export interface VersionObservation {
  readonly observedAtMs: number;
  readonly config: ConfigSummary;
  /** The one that the run is for. */
  readonly version: number;
  /** The name that its ReplicationController has or gets. */
  readonly controllerName: string;
  readonly controllers: readonly ControllerSummary[];
  /** Pods of other versions that still exist; counted for strategy Recreate only. */
  readonly oldPods?: number;
  readonly regions?: readonly RegionSummary[];
}

/** Only the latest version moves pods and has a say in the status. */
export const isLatest = ({ config, version }: VersionObservation): boolean =>
  version === config.latestVersion;

export interface ConfigStatus {
  readonly observedGeneration: number;
  readonly replicas: number;
  readonly updatedReplicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly unavailableReplicas: number;
  readonly conditions: readonly Condition[];
}
