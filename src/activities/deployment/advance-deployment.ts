import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';

import type {
  AdvanceRequest,
  AdvanceResult,
  DeploymentActivities,
  Seen,
  Step,
  Versions,
  Work,
} from '../../contracts/deployment.js';
import type { DeploymentObservation } from '../../domain/deployment/observation.js';
import { planDeployment } from '../../domain/deployment/plan-deployment.js';
import { planStandstill } from '../../domain/deployment/plan-standstill.js';
import {
  hasWork,
  isNews,
  isOrdinary,
  isUrgent,
  type DeploymentPlan,
} from '../../domain/deployment/plan.js';
import { defined } from '../../domain/shared/optional.js';
import type { Sighting } from '../../kubernetes/deployments/deployment-view.js';
import { waitForChange, type ChangeResult } from '../../kubernetes/deployments/wait-for-change.js';
import type { ClusterAccess } from '../cluster-access.js';
import type { EventRecorder } from '../events.js';
import { toActivityFailure } from '../failures.js';
import { carryOutPlan, type Scene } from './carry-out-plan.js';

const heartbeatMs = 2_000;
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

/**
 * Brings a Deployment forward: carries out what was asked for, then waits for work and does it, step
 * after step, as long as that is the ordinary course of a rollout. What is not (a pause, a failure, a
 * rollback nobody asked for, the end) goes back to the workflow first.
 */
export function createAdvanceDeployment(
  access: ClusterAccess,
  events: EventRecorder,
): DeploymentActivities['advanceDeployment'] {
  return async (request) => {
    const { ref } = request;
    access.checkApi(ref);
    const client = access.cluster(ref.cluster)?.client;
    const view = access.view(ref.cluster);
    if (client === undefined || view === undefined) return { kind: 'elsewhere' };
    const beat = activityInfo().isLocal ? undefined : setInterval(heartbeat, heartbeatMs);
    try {
      return await new Advance({ client, view, events, ref }, request).run();
    } catch (error) {
      throw toActivityFailure(error, `roll out Deployment ${ref.namespace}/${ref.name}`);
    } finally {
      clearInterval(beat);
    }
  };
}

class Advance {
  private readonly signal = cancellationSignal();
  private readonly steps: Step[] = [];
  private readonly endsAtMs: number;
  private readonly tellsAtMs: number;
  private since: Versions | undefined;
  private statusAtMs = 0;
  private calmMs = shortestCalmMs;
  /** What started what is under way; the plan that said so may be one of the steps. */
  private triggers: DeploymentPlan['triggers'];
  /** The look that is judged and the one that is told are the same. */
  private planned:
    { readonly of: DeploymentObservation; readonly plan: DeploymentPlan } | undefined;

  constructor(
    private readonly scene: Scene,
    private readonly request: AdvanceRequest,
  ) {
    const nowMs = Date.now();
    const { isLocal } = activityInfo();
    const patienceMs = isLocal ? longestTaskMs : longestWaitMs;
    const untilMs = Math.max(request.untilMs ?? Infinity, nowMs + shortestWaitMs);
    this.endsAtMs = Math.min(untilMs, nowMs + patienceMs);
    this.tellsAtMs = nowMs + tellAfterMs;
    this.since = request.since;
  }

  async run(): Promise<AdvanceResult> {
    const { work: asked, until } = this.request;
    let work = asked;
    let last: Seen | undefined;
    while (true) {
      const done = work === undefined ? undefined : await this.carryOut(work);
      if (done?.kind === 'refused') return done;
      const result = await this.look(done?.kind === 'stale', last?.plan);
      if (result === 'gone') return { kind: 'gone' };
      if (result === 'unchanged') return this.tellNothing(last);
      const seen = this.toSeen(result);
      const { isStopped } = this.scene.view;
      const isOver = Date.now() >= this.tellsAtMs || this.signal.aborted || isStopped;
      if (until === 'caughtUp' || !isOrdinary(seen.plan) || isOver) return seen;
      this.triggers = seen.plan.triggers ?? this.triggers;
      this.steps.push({ atMs: seen.observedAtMs, summary: seen.plan.summary });
      this.since = seen.versions;
      work = this.toWork(seen.plan, result.observation);
      last = seen;
    }
  }

  private get statusPauseMs(): number {
    return Math.max(shortestStatusPauseMs, statusPauseFactor * this.calmMs);
  }

  private async carryOut(work: Work): ReturnType<typeof carryOutPlan> {
    const versions = this.since ?? { deployment: '0', replicaSets: {} };
    const beganAtMs = Date.now();
    const done = await carryOutPlan(this.scene, work, versions);
    this.calmMs = Math.min(longestCalmMs, Math.max(shortestCalmMs, Date.now() - beganAtMs));
    this.since = done.versions;
    if (work.status !== undefined) this.statusAtMs = Date.now();
    return done;
  }

  /** The next look that calls for an act; when the last try was stale, one at something newer. */
  private async look(isStale: boolean, last: DeploymentPlan | undefined): Promise<ChangeResult> {
    if (isStale) {
      const newer = await this.wait(Date.now() + staleMs, hasWork, true);
      if (newer !== 'unchanged') return newer;
    }
    const next = last?.next;
    const dueMs = next?.kind === 'wait' ? (next.untilMs ?? Infinity) : Infinity;
    const untilMs = Math.min(this.endsAtMs, dueMs);
    const calmUntilMs = Math.min(untilMs, this.statusAtMs + this.statusPauseMs);
    if (Date.now() < calmUntilMs) {
      const urgent = await this.wait(calmUntilMs, isUrgent);
      if (urgent !== 'unchanged') return urgent;
    }
    return this.wait(untilMs, hasWork);
  }

  private wait(
    untilMs: number,
    isWorthwhile: (plan: DeploymentPlan, seen: DeploymentObservation) => boolean,
    mustDiffer = false,
  ): Promise<ChangeResult> {
    const { until } = this.request;
    return waitForChange(this.scene.view, {
      key: this.scene.ref,
      ...defined({ since: this.since }),
      mustDiffer,
      calmMs: this.calmMs,
      untilMs,
      signal: this.signal,
      isWorthwhile: ({ observation }) =>
        until === 'caughtUp' || isWorthwhile(this.plan(observation), observation),
    });
  }

  private plan(observation: DeploymentObservation): DeploymentPlan {
    const { refusal } = this.request;
    if (this.planned?.of !== observation) {
      const plan =
        refusal === undefined
          ? planDeployment(observation)
          : planStandstill(observation, 'ReplicaSetCreateError', refusal);
      this.planned = { of: observation, plan };
    }
    return this.planned.plan;
  }

  private toSeen({ observation, versions }: Sighting): Seen {
    const { observedAtMs, deployment } = observation;
    const plan = this.plan(observation);
    return {
      kind: 'seen',
      observedAtMs,
      uid: deployment.uid,
      plan: { ...plan, ...defined({ triggers: plan.triggers ?? this.triggers }) },
      isDone: false,
      versions,
      steps: this.steps,
    };
  }

  /** A step that only changes the counts leaves them for later, when they were written just now. */
  private toWork(plan: DeploymentPlan, seen: DeploymentObservation): Work {
    const { actions, status, triggers } = plan;
    const canWait = actions.length > 0 && Date.now() < this.statusAtMs + this.statusPauseMs;
    const isLeft = canWait && !isNews(plan, seen);
    return { actions, ...defined({ status: isLeft ? undefined : status, triggers }) };
  }

  /** The time is up; what was done last is told with the versions that it led to. */
  private tellNothing(last: Seen | undefined): AdvanceResult {
    const versions = this.since;
    if (last === undefined) return { kind: 'unchanged', ...defined({ versions }) };
    const plan = { ...last.plan, ...defined({ triggers: this.triggers }) };
    return { ...last, plan, isDone: true, versions: versions ?? last.versions };
  }
}
