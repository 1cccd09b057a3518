/** The resource versions of what was seen or written, so that only what is newer counts as a change. */
export interface Versions {
  /** Of the object that a run is about. */
  readonly deployment: string;
  /** Of what keeps its pods, by uid. */
  readonly replicaSets: Readonly<Record<string, string>>;
  readonly oldPods?: number;
}

/** This worker can't do it: it doesn't know the cluster, or another one watches it. */
export interface Elsewhere {
  readonly kind: 'elsewhere';
}

/** What to do for an object, and what to wait for then. */
export interface AdvanceRequest<Ref, Work> {
  readonly ref: Ref;
  /** What the caller has seen or written. Absent: whatever is there is looked at, at once. */
  readonly since?: Versions;
  /** What to carry out first, made from what was seen then. */
  readonly work?: Work;
  /**
   * What to wait for then: only that all of that has come back by the watch, or that there is work to do,
   * which is done as long as it is in the ordinary course of a rollout.
   */
  readonly until: 'caughtUp' | 'work';
  /** When to look again if nothing happens. */
  readonly untilMs?: number;
  /** What the apiserver would not have, when it was last asked. */
  readonly refusal?: string;
  /** It may have it another time. */
  readonly mayPass?: boolean;
}

/** A step that was taken, for whoever reads the history. */
export interface Step {
  readonly atMs: number;
  readonly summary: string;
}

/**
 * The plan is made where the look is taken and is kept in the history: a later version of the planner
 * never changes what a run has already done.
 */
export interface Seen<Plan> {
  readonly kind: 'seen';
  readonly observedAtMs: number;
  readonly uid: string;
  readonly plan: Plan;
  /** Whether the plan was carried out already; else that is for the workflow to ask for. */
  readonly isDone: boolean;
  /** As they are now. */
  readonly versions: Versions;
  /** The steps that led here, oldest first. */
  readonly steps: readonly Step[];
}

/** The apiserver will not have it, whatever we do. */
export interface Refused {
  readonly kind: 'refused';
  readonly problem: string;
  readonly versions: Versions;
  /** It may have it another time: what is forbidden now, as by a quota, may be allowed then. */
  readonly mayPass?: boolean;
}

export type AdvanceResult<Plan> =
  | Seen<Plan>
  /** Nothing was left to do until now. */
  | { readonly kind: 'unchanged'; readonly versions?: Versions }
  | { readonly kind: 'gone' }
  | Refused
  | Elsewhere;
