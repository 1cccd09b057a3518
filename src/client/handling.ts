import type { Revision } from '../domain/shared/revision.js';
import type { ChangedTemplate } from '../kubernetes/change-note.js';
import type { KubernetesObject } from '../kubernetes/objects.js';
import type { ResourceType } from '../kubernetes/resources.js';
import type { ClusterSession } from './cluster-session.js';
import type { UndoPlan, UndoWish } from './plan-undo.js';
import type { Follower } from './follower.js';
import type { LogTarget } from './logs/log-target.js';
import type { OutputFormat } from './output/structured.js';
import type { TemporalPlace } from './temporal-options.js';
import type { HistoryEntry } from './history/history-entry.js';

/** The object that a command is about, and where it is. */
export interface Subject<T extends KubernetesObject = KubernetesObject> {
  readonly session: ClusterSession;
  readonly type: ResourceType;
  /** The unmistakable name, for messages. */
  readonly ref: string;
  readonly object: T;
}

/** What somebody who asks for something may say about it. */
export interface Wish {
  readonly reason?: string | undefined;
}

export interface TriggerWish extends Wish {
  readonly resumeTriggers?: true | undefined;
}

export interface ApprovalWish extends Wish {
  readonly step?: number | undefined;
  readonly winner?: 'new' | 'old' | undefined;
}

/** What became of an object, as far as the cluster still knows. */
export interface History {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  /** Whose runs belong to it. */
  readonly workflowIds: (cluster: string) => readonly string[];
}

/** What an object was. */
export interface Snapshots {
  /** One of them; a sentence with those there are when it isn't one of them. */
  readonly pick: (revision: Revision) => Snapshot;
  /** What is in force, in the form in which snapshots are compared. */
  readonly current: unknown;
  /** What is compared, in a sentence. */
  readonly compared: string;
}

/** Who shows what comes of something that was asked for. */
export interface Triggered {
  /** Until it is there. */
  readonly made: Follower;
  /** Until it is over. */
  readonly ended: Follower;
}

/** An object that goes back together with others, and how far; without a revision, the usual one. */
export interface RollBackMember<T extends KubernetesObject = KubernetesObject> {
  readonly subject: Subject<T>;
  readonly revision: Revision | undefined;
}

export interface RollBackOptions {
  readonly config?: true;
  readonly application?: true;
  readonly notes?: string;
  readonly dryRun?: true;
  readonly parallel?: true;
  readonly output?: OutputFormat;
  readonly timeout?: number;
  readonly temporal: TemporalPlace;
  /** How to call this program with the same cluster and namespace. */
  readonly again: (command: string, words: readonly string[]) => string;
}

export interface Undoing {
  readonly plan: UndoPlan;
  /** What is in force before it, to be compared with the plan's target. */
  readonly current: unknown;
}

export interface Snapshot {
  /** Example: revision 3 */
  readonly title: string;
  /** The object that holds it. */
  readonly holder: string;
  /** What a person wants to see of it. */
  readonly content: unknown;
  /** What `-o` prints. */
  readonly document: object;
  /** What a comparison is made with. */
  readonly value: unknown;
}

/**
 * What commands can do for one kind; what is left out, the command refuses with a sentence. Those that
 * change something resolve to the line that says what was done.
 */
export interface Handling<T extends KubernetesObject> {
  readonly history?: (subject: Subject<T>) => Promise<History>;
  readonly diff?: (subject: Subject<T>) => Promise<Snapshots>;
  readonly undo?: (subject: Subject<T>, wish: UndoWish) => Promise<Undoing>;
  /** Goes back with several at once, which are checked against each other; tells how that went. */
  readonly rollBack?: (
    members: readonly RollBackMember<T>[],
    options: RollBackOptions,
  ) => Promise<void>;
  readonly resumeTriggers?: (subject: Subject<T>, wish: Wish) => Promise<string>;
  readonly pause?: (subject: Subject<T>, wish: Wish) => Promise<string>;
  readonly resume?: (subject: Subject<T>, wish: Wish) => Promise<string>;
  readonly cancel?: (subject: Subject<T>, wish: Wish) => Promise<string>;
  readonly retry?: (subject: Subject<T>, wish: Wish) => Promise<string>;
  readonly approve?: (subject: Subject<T>, wish: ApprovalWish) => Promise<string>;
  readonly trigger?: (subject: Subject<T>, wish: TriggerWish) => Promise<Triggered>;
  /** The hooks and the deployer whose logs can be read, of the latest revision unless one is named. */
  readonly logs?: (subject: Subject<T>, revision?: Revision) => Promise<LogTarget>;
  /** Shows what comes of an object as it was applied. */
  readonly follow?: (applied: T) => Follower;
  /** The template of an object, where who has written it is to be noted. */
  readonly sign?: (object: T) => ChangedTemplate;
}

export type Verb = keyof Handling<KubernetesObject>;
