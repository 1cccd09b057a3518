import type { VersionPhase } from '../../domain/deployment-config/observation.js';
import type { HookMoment, HookPhase, HookPolicy } from '../../domain/shared/hook.js';
import type { Revision } from '../../domain/shared/revision.js';
import type { DeploymentPhase, ReplicaCounts } from './describe-deployment.js';

/**
 * What `slipway get -o json|yaml` prints: `{items: Tree[]}`, and with -w one Tree per change. The shape is
 * a promise to scripts: fields are added, but none is renamed or taken away.
 */
export interface TreeList {
  readonly items: readonly Tree[];
}

/** An object with all that hangs below it; its kind tells which shape it has. */
export type Tree = DeploymentTree | ConfigTree | RepositoryTree;

export interface TreeRoot {
  readonly apiVersion: string;
  readonly namespace: string;
  readonly name: string;
  /** Why it stands as it does, in a sentence; empty when there is nothing to add. */
  readonly message: string;
  /** Only in the last document that `-w` prints of an object that is gone. */
  readonly deleted?: true;
}

export interface DeploymentTree extends TreeRoot {
  readonly kind: 'Deployment';
  readonly phase: DeploymentPhase;
  readonly paused: boolean;
  readonly rollbackOnFailure: boolean;
  readonly rolledBackAt: string | null;
  /** The hook that it waits for, in a sentence; null when it waits for none. */
  readonly heldBy: string | null;
  readonly replicas: ReplicaCounts;
  /** Newest first. */
  readonly revisions: readonly RevisionTree[];
}

export interface RevisionTree {
  /** As text where it is larger than a number can hold. */
  readonly revision: Revision;
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
  readonly hooks: readonly HookTree[];
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

/** How a DeploymentConfig stands, by its latest version. */
export type ConfigPhase =
  | 'Complete'
  | 'Progressing'
  | 'Paused'
  | 'Failed'
  | 'Cancelled'
  /** A version is due, and nobody has made it yet; or it can't be made, for want of an image. */
  | 'Waiting'
  /** There is no version, and nothing asks for one. */
  | 'Idle';

export interface ConfigTree extends TreeRoot {
  readonly kind: 'DeploymentConfig';
  readonly phase: ConfigPhase;
  readonly paused: boolean;
  readonly strategy: string;
  /** What makes versions by itself. Example: config,image(web:latest) */
  readonly triggers: string;
  /** Whether none of them makes a version just now. */
  readonly triggersSuspended: boolean;
  /** Whether it is asked to go back, and nobody has seen to that yet. */
  readonly rollbackAsked: boolean;
  /** Why it could not go back when it was last asked to, since its latest version. */
  readonly rollbackRefused: string | null;
  /** 0 while there is none. */
  readonly latestVersion: number;
  /** The tags without whose images no version can be made. Example: shop/web:latest */
  readonly waitsFor: readonly string[];
  readonly replicas: ReplicaCounts;
  /** Newest first. */
  readonly versions: readonly VersionTree[];
}

export interface VersionTree {
  readonly version: number;
  readonly replicationController: string;
  /** The latest one. */
  readonly current: boolean;
  readonly phase: VersionPhase;
  readonly cancelled: boolean;
  /** Why it has failed, or why it is to be stopped. */
  readonly reason: string | null;
  /** Example: image change of shop/web:latest */
  readonly causes: readonly string[];
  /** Who asked for it, or at least by which program. */
  readonly by: string | null;
  readonly images: readonly string[];
  readonly created: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Only while it is a canary: the step that it is at, from 1, of how many. */
  readonly canary: CanaryProgress | null;
  readonly replicas: {
    readonly desired: number;
    readonly ready: number;
    readonly available: number;
  };
  /** In the order of their turns, with those that have not begun. */
  readonly hooks: readonly HookTree[];
  /** The pods of its deployer and its hooks that are there. */
  readonly jobs: readonly JobTree[];
  readonly pods: readonly PodTree[];
}

export interface CanaryProgress {
  readonly step: number;
  readonly steps: number;
  /** Whether it goes on only when somebody says so. */
  readonly needsApproval: boolean;
  /** Whether two versions are compared at it, of which somebody has to name the winner. */
  readonly comparison: boolean;
}

/** A hook, over all its tries. */
export interface HookTree {
  readonly moment: HookMoment;
  /** What becomes of a failure; null where that is not known any more. */
  readonly policy: HookPolicy | null;
  /** Null before it has begun. */
  readonly phase: HookPhase | null;
  /** Why it, or its latest try, has failed. */
  readonly reason: string | null;
  /** How many of its tries have ended, of which only the last few are known. */
  readonly ended: number;
  /** Oldest first. */
  readonly tries: readonly HookTryTree[];
}

export interface HookTryTree {
  /** Counted from 1. */
  readonly number: number;
  readonly pod: string;
  readonly phase: HookPhase;
  readonly exitCode: number | null;
  /** Why it failed, or what it waits for. Example: OOMKilled */
  readonly reason: string | null;
  /** The end of its log, once it has ended. */
  readonly tail: string | null;
  /** Null once its pod is gone. */
  readonly created: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Whether its pod, and with it the rest of its log, is no more. */
  readonly gone: boolean;
}

/** A pod that runs once. */
export interface JobTree {
  readonly name: string;
  /** Example: deploy, hook-pre */
  readonly role: string;
  readonly phase: string;
  readonly exitCode: number | null;
  readonly reason: string | null;
  readonly created: string | null;
}

export interface RepositoryTree extends TreeRoot {
  readonly kind: 'ImageRepository';
  readonly phase: 'Ready' | 'NotReady' | 'Waiting';
  /** Where it is. Example: registry.example.com/shop/web */
  readonly repository: string;
  readonly lastCheckedAt: string | null;
  readonly tags: readonly TagTree[];
}

export interface TagTree {
  readonly tag: string;
  readonly digest: string | null;
  readonly image: string | null;
  readonly resolvedAt: string | null;
}
