import type { ExaminedBase, RollbackProblem, RollbackReport } from '../domain/rollback/report.js';
import type { RollbackWish } from '../domain/rollback/wish.js';
import type { Elsewhere, Versions } from './advance.js';
import type { VersionActivities, VersionRef } from './deployment-config.js';
import type { ObjectRef } from './workflow-ids.js';

/** One config that goes back. */
export interface RollbackMember {
  readonly name: string;
  readonly wish: RollbackWish;
}

/** DeploymentConfigs of one namespace that go back together. */
export interface RollbackRef {
  readonly cluster: string;
  readonly namespace: string;
  /** In the order in which they go back. */
  readonly members: readonly RollbackMember[];
}

/** What a run of the workflow `rollback` is started with. */
export interface RollbackInput extends RollbackRef {
  /** All at once instead of one after another. */
  readonly parallel?: boolean;
  /** Tell what would change and what may break, and change nothing. */
  readonly dryRun?: boolean;
  /** Asked for by the block `rollback` of the one config, which is taken away with it. */
  readonly fromBlock?: boolean;
}

/** Where one config stands when the run ends. */
export interface RollbackStanding {
  readonly name: string;
  /** Its version before, the one that it goes back to, and the one that was made for it. */
  readonly from: number;
  readonly to: number;
  readonly version?: number;
  readonly state: 'Untouched' | 'Running' | 'Complete' | 'Failed';
  readonly reason?: string;
  /** It failed because its version was cancelled, by somebody or on account of another config. */
  readonly isCancelled?: true;
}

export interface RollbackOutcome {
  readonly phase: 'DryRun' | 'Complete' | 'Failed' | 'Refused' | 'Cancelled';
  readonly summary: string;
  readonly report: RollbackReport;
  readonly standings: readonly RollbackStanding[];
}

/** What people and the search attribute `SlipwayPhase` call the state of a run. */
export type RollbackRunPhase = RollbackOutcome['phase'] | 'Examining' | 'Running';

/** The answer to the query `status`. */
export interface RollbackRunStatus extends Omit<RollbackOutcome, 'phase'> {
  readonly phase: RollbackRunPhase;
}

export type Examined = { readonly kind: 'examined'; readonly report: RollbackReport } | Elsewhere;

export interface ExamineRequest extends RollbackRef {
  /** Somebody waits for what is found, and nothing is done about it: a registry that is slow is left out. */
  readonly dryRun?: boolean;
}

/** Judges all members together; reads, and never writes. */
export type ExamineRollback = (request: ExamineRequest) => Promise<Examined>;

export interface ApplyRollbackRequest {
  readonly ref: ObjectRef;
  readonly wish: RollbackWish;
  /** As they were examined: its version, the one to go back to, and what was looked at. */
  readonly from: number;
  readonly to: number;
  readonly base?: ExaminedBase;
  /** Of the run that asks, by which it knows its own writes again. */
  readonly runId: string;
  readonly fromBlock?: boolean;
}

export type ApplyRollbackResult =
  /** The config has gone back, and the version of it is asked for; with what must be seen before it is looked at. */
  | { readonly kind: 'done'; readonly version: number; readonly versions: Versions }
  /** It is not what was examined any more, and was left alone. */
  | { readonly kind: 'changed'; readonly why: string }
  /** It has another version by now: what would be the last one before it is not what was meant. */
  | { readonly kind: 'overtaken'; readonly why: string }
  /** The block that asked for it is another by now, which is looked at for its own sake, or is gone. */
  | { readonly kind: 'needless'; readonly why: string }
  | { readonly kind: 'gone' }
  | Elsewhere;

/** Takes the block `rollback` away that can't be met, and says why. */
export interface RefuseRollbackRequest {
  readonly ref: ObjectRef;
  /** What the block asks for; one that asks for something else stays. */
  readonly wish: RollbackWish;
  readonly base?: ExaminedBase;
  readonly problems: readonly RollbackProblem[];
}

export type RefuseRollbackResult =
  /** There is no such block, any more. */
  { readonly kind: 'done' } | { readonly kind: 'needless' } | Elsewhere;

export interface AwaitVersionRequest {
  readonly ref: VersionRef;
  /** Which writes must be seen before the version is looked at. */
  readonly since: Versions;
  /** What to wait for: that it is there, or that it is over. */
  readonly until: 'begun' | 'ended';
  /** The run whose rollback it has to be; whoever leaves that out takes any version of that number. */
  readonly runId?: string;
}

export type AwaitVersionResult =
  | { readonly kind: 'begun' }
  | { readonly kind: 'complete' }
  | { readonly kind: 'failed'; readonly reason: string; readonly isCancelled?: true }
  /** Nothing has come of it until now. */
  | { readonly kind: 'unchanged' }
  | Elsewhere;

/** What the `rollback` workflow asks of the world. */
export interface RollbackActivities extends Pick<VersionActivities, 'cancelVersion'> {
  readonly examineRollback: ExamineRollback;
  readonly applyRollback: (request: ApplyRollbackRequest) => Promise<ApplyRollbackResult>;
  readonly refuseRollback: (request: RefuseRollbackRequest) => Promise<RefuseRollbackResult>;
  readonly awaitVersion: (request: AwaitVersionRequest) => Promise<AwaitVersionResult>;
}
