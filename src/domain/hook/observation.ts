import type { HookMoment, HookPhase, HookPolicy } from '../shared/hook.js';
import type { RunOncePod } from '../shared/run-once-pod.js';

/** One try of a hook, in a pod of its own. */
export interface HookTry {
  /** Counted from 1. */
  readonly number: number;
  readonly pod: RunOncePod;
}

/** How a try ended, kept beyond its pod. */
export interface EndedTry {
  readonly number: number;
  readonly pod: string;
  /** Absent when it never ran. */
  readonly startedAtMs?: number;
  readonly endedAtMs: number;
  readonly exitCode?: number;
  /** Why it failed, in a word such as Error, OOMKilled, DeadlineExceeded, Deleted or Gone. */
  readonly reason?: string;
  /** The end of its log, or else what its node said of it. */
  readonly tail?: string;
}

/** What is kept of a hook beside its pods, which may be gone. */
export interface HookRecord {
  readonly phase?: HookPhase;
  /** The pod of the latest try. */
  readonly pod?: string;
  /** When its first try was made. */
  readonly sinceMs?: number;
  /** The latest try whose end was noted; 0 before the first has ended. */
  readonly ended: number;
  /** When that was. */
  readonly endedAtMs?: number;
  /** Why the latest try failed. */
  readonly reason?: string;
  /** Its pod was told to end because its deployment was stopped. */
  readonly isStopping?: boolean;
  /** It failed only because its deployment was stopped. */
  readonly wasStopped?: boolean;
  /** How often it was made ready to run again. */
  readonly resets?: number;
  /** The last few that have ended, oldest first. */
  readonly tries?: readonly EndedTry[];
}

/** What the apiserver said when it was asked for a pod. */
export interface HookRefusal {
  readonly problem: string;
  /** Another time it may be taken, as when a quota is no longer used up. */
  readonly mayPass: boolean;
}

export interface HookObservation {
  readonly observedAtMs: number;
  /** The deployment that it belongs to, such as web-2. */
  readonly deployment: string;
  readonly moment: HookMoment;
  readonly policy: HookPolicy;
  /** How long all its tries may take together. */
  readonly deadlineSeconds: number;
  /** Whether its deployment still waits for it: nobody has stopped or overtaken that. */
  readonly isWanted: boolean;
  /** Why it can't be run at all, where that is so. */
  readonly problem?: string;
  readonly record: HookRecord;
  /** Those whose pods are there, oldest first. */
  readonly tries: readonly HookTry[];
}
