import { activityInfo, cancellationSignal } from '@temporalio/activity';

import type {
  AdvanceRequest,
  AdvanceResult,
  Refused,
  Seen,
  Step,
  Versions,
} from '../contracts/advance.js';
import type { Next } from '../domain/shared/next.js';
import { defined } from '../domain/shared/optional.js';
import {
  waitForChange,
  type ChangeResult,
  type Sighting,
  type WatchedObject,
} from '../kubernetes/wait-for-change.js';

/** How long a local activity may last; Temporal lets signals through to its workflow every 8 s. */
const longestTaskMs = 10_000;
/** A long wait is renewed now and then, so that one activity never outgrows its timeout. */
const longestWaitMs = 30 * 60_000;
/** After how long the workflow is told what was done, though there is more to do. */
const tellAfterMs = 10_000;
/** How long to wait for what made a write stale, before looking again all the same. */
const staleMs = 1_000;
/** Counts that change without any act are written this often at most. */
const shortestStatusPauseMs = 1_000;
/** In a cluster that has too much to do, they are written after this many times its usual calm. */
const statusPauseFactor = 5;
/**
 * Pods get ready one by one. A step for each is soonest done when the cluster is at leisure; one that is
 * slow to answer has too much to do, and gets fewer, larger steps.
 */
const shortestCalmMs = 25;
const longestCalmMs = 500;
/** Clocks differ: a deadline that has passed elsewhere is waited for a little longer. */
const shortestWaitMs = 250;

export type CarryOutResult =
  /** With the versions after the writes. */
  | { readonly kind: 'done'; readonly versions: Versions }
  /** Somebody else wrote first: look again. */
  | { readonly kind: 'stale'; readonly versions: Versions }
  | Refused
  /** Its namespace is being deleted: it is as good as gone. */
  | { readonly kind: 'ending'; readonly versions: Versions };

interface ObservationLike {
  readonly observedAtMs: number;
}

interface PlanLike {
  readonly summary: string;
  readonly next: Next;
}

interface WorkLike {
  readonly actions: readonly unknown[];
  readonly status?: object;
}

/** How one kind of object is brought forward. */
export interface Course<
  Observation extends ObservationLike,
  Plan extends PlanLike,
  Work extends WorkLike,
> {
  readonly object: WatchedObject<Observation>;
  plan(observation: Observation): Plan;
  uidOf(observation: Observation): string;
  /** The plan with what those before it knew and it doesn't. */
  recall(plan: Plan, before: Plan | undefined): Plan;
  /** Whether there is anything to do, or nothing any more. */
  hasWork(plan: Plan): boolean;
  /** Whether there is more to do than to write down counts that have changed by themselves. */
  isUrgent(plan: Plan, observation: Observation): boolean;
  /** Whether the status says more than other counts. */
  isNews(plan: Plan, observation: Observation): boolean;
  /** Whether the run need not know of it beforehand. */
  isOrdinary(plan: Plan): boolean;
  toWork(plan: Plan): Work;
  carryOut(work: Work, since: Versions): Promise<CarryOutResult>;
}

/**
 * Brings an object forward: carries out what was asked for, then waits for work and does it, step after
 * step, as long as that is the ordinary course of a rollout. What is not (a pause, a failure, a rollback
 * nobody asked for, the end) goes back to the workflow first.
 */
export class Advance<
  Observation extends ObservationLike,
  Plan extends PlanLike,
  Work extends WorkLike,
> {
  private readonly signal = cancellationSignal();
  private readonly steps: Step[] = [];
  private readonly endsAtMs: number;
  private readonly tellsAtMs: number;
  private since: Versions | undefined;
  private statusAtMs = 0;
  private calmMs = shortestCalmMs;
  /** What was told or done last, with all that is remembered. */
  private last: Plan | undefined;
  /** The look that is judged and the one that is told are the same. */
  private planned: { readonly of: Observation; readonly plan: Plan } | undefined;

  constructor(
    private readonly course: Course<Observation, Plan, Work>,
    private readonly request: Omit<AdvanceRequest<unknown, Work>, 'ref'>,
  ) {
    const nowMs = Date.now();
    const patienceMs = activityInfo().isLocal ? longestTaskMs : longestWaitMs;
    const untilMs = Math.max(request.untilMs ?? Infinity, nowMs + shortestWaitMs);
    this.endsAtMs = Math.min(untilMs, nowMs + patienceMs);
    this.tellsAtMs = nowMs + tellAfterMs;
    this.since = request.since;
  }

  async run(): Promise<AdvanceResult<Plan>> {
    const { work: asked, until } = this.request;
    let work = asked;
    let last: Seen<Plan> | undefined;
    while (true) {
      const done = work === undefined ? undefined : await this.carryOut(work);
      if (done?.kind === 'refused') return done;
      if (done?.kind === 'ending') return { kind: 'gone' };
      const result = await this.look(done?.kind === 'stale');
      if (result === 'gone') return { kind: 'gone' };
      if (result === 'unchanged') return this.tellNothing(last);
      const seen = this.toSeen(result);
      this.last = seen.plan;
      const { isStopped } = this.course.object;
      const isOver = Date.now() >= this.tellsAtMs || this.signal.aborted || isStopped;
      if (until === 'caughtUp' || !this.course.isOrdinary(seen.plan) || isOver) return seen;
      this.steps.push({ atMs: seen.observedAtMs, summary: seen.plan.summary });
      this.since = seen.versions;
      work = this.toWork(seen.plan, result.observation);
      last = seen;
    }
  }

  private get statusPauseMs(): number {
    return Math.max(shortestStatusPauseMs, statusPauseFactor * this.calmMs);
  }

  private async carryOut(work: Work): Promise<CarryOutResult> {
    const versions = this.since ?? { deployment: '0', replicaSets: {} };
    const beganAtMs = Date.now();
    const done = await this.course.carryOut(work, versions);
    this.calmMs = Math.min(longestCalmMs, Math.max(shortestCalmMs, Date.now() - beganAtMs));
    this.since = done.versions;
    if (work.status !== undefined) this.statusAtMs = Date.now();
    return done;
  }

  /** The next look that calls for an act; when the last try was stale, one at something newer. */
  private async look(isStale: boolean): Promise<ChangeResult<Observation>> {
    const { course } = this;
    const hasWork = (plan: Plan): boolean => course.hasWork(plan);
    if (isStale) {
      const newer = await this.wait(Date.now() + staleMs, hasWork, true);
      if (newer !== 'unchanged') return newer;
    }
    const untilMs = this.endsAtMs;
    const calmUntilMs = Math.min(untilMs, this.statusAtMs + this.statusPauseMs);
    if (Date.now() < calmUntilMs) {
      const urgent = await this.wait(calmUntilMs, (plan, seen) => course.isUrgent(plan, seen));
      if (urgent !== 'unchanged') return urgent;
    }
    return this.wait(untilMs, hasWork);
  }

  private wait(
    untilMs: number,
    isWorthwhile: (plan: Plan, observation: Observation) => boolean,
    mustDiffer = false,
  ): Promise<ChangeResult<Observation>> {
    const { until } = this.request;
    const soonestMs = Date.now() + shortestWaitMs;
    return waitForChange(this.course.object, {
      ...defined({ since: this.since }),
      mustDiffer,
      calmMs: this.calmMs,
      // What was seen meanwhile may have a deadline that was not known before.
      untilMs: () => Math.min(untilMs, Math.max(this.dueMs, soonestMs)),
      signal: this.signal,
      isWorthwhile: (observation) =>
        until === 'caughtUp' || isWorthwhile(this.plan(observation), observation),
    });
  }

  /** When what was last seen has to be looked at again. */
  private get dueMs(): number {
    const next = this.planned?.plan.next;
    return next?.kind === 'wait' ? (next.untilMs ?? Infinity) : Infinity;
  }

  private plan(observation: Observation): Plan {
    if (this.planned?.of !== observation) {
      this.planned = { of: observation, plan: this.course.plan(observation) };
    }
    return this.planned.plan;
  }

  private toSeen({ observation, versions }: Sighting<Observation>): Seen<Plan> {
    return {
      kind: 'seen',
      observedAtMs: observation.observedAtMs,
      uid: this.course.uidOf(observation),
      plan: this.course.recall(this.plan(observation), this.last),
      isDone: false,
      versions,
      steps: this.steps,
    };
  }

  /** A step that only changes the counts leaves them for later, when they were written just now. */
  private toWork(plan: Plan, observation: Observation): Work {
    const work = this.course.toWork(plan);
    const canWait = work.actions.length > 0 && Date.now() < this.statusAtMs + this.statusPauseMs;
    if (!canWait || this.course.isNews(plan, observation)) return work;
    const { status: _later, ...rest } = work;
    return rest as Work;
  }

  /** The time is up; what was done last is told with the versions that it led to. */
  private tellNothing(last: Seen<Plan> | undefined): AdvanceResult<Plan> {
    const versions = this.since;
    if (last === undefined) return { kind: 'unchanged', ...defined({ versions }) };
    return { ...last, isDone: true, versions: versions ?? last.versions };
  }
}
