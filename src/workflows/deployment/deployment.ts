import { ActivityFailure, ApplicationFailure, CancelledFailure } from '@temporalio/common';
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  isCancellation,
  log,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';

import type {
  DeploymentInput,
  DeploymentOutcome,
  DeploymentRef,
  DeploymentRunStatus,
} from '../../contracts/deployment.js';
import { failureTypes } from '../../contracts/failure-types.js';
import { signalNames, statusQueryName, type SignalRequest } from '../../contracts/messages.js';
import type { DeploymentObservation } from '../../domain/deployment/observation.js';
import { planDeployment, planStandstill } from '../../domain/deployment/plan-deployment.js';
import { isSettled, type DeploymentPlan } from '../../domain/deployment/plan.js';
import { createReach, type Reach } from './here-or-there.js';
import { isManifest, resolveRef } from './resolve-ref.js';
import { Story } from './story.js';

export const pauseSignal = defineSignal<[SignalRequest?]>(signalNames.pause);
export const resumeSignal = defineSignal<[SignalRequest?]>(signalNames.resume);
export const statusQuery = defineQuery<DeploymentRunStatus>(statusQueryName);

/** How long a wait lasts that has no deadline of its own. */
const noDeadlineMs = 24 * 60 * 60_000;

/**
 * Brings one Deployment to rest: a new template, a new size, a rollback. Ends when it is complete, has
 * failed, was cancelled or deleted; stays while it is paused.
 */
export async function deployment(input: DeploymentInput): Promise<DeploymentOutcome> {
  const ref = resolveRef(input, workflowInfo().workflowId);
  const reach = createReach(ref);
  const story = new Story(ref);
  setHandler(statusQuery, () => story.current);
  setHandler(pauseSignal, (request) => obey(() => reach.setPaused({ ...request, paused: true })));
  setHandler(resumeSignal, () => obey(() => reach.setPaused({ paused: false })));
  try {
    const version = isManifest(input) ? await reach.apply(input) : undefined;
    const outcome = await converge(ref, reach, story, version);
    // A request to cancel can come together with the answer that was waited for.
    if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('cancelled');
    return outcome;
  } catch (error) {
    if (!isCancellation(error)) throw toApplicationFailure(error);
    await CancellationScope.nonCancellable(() => stopWhereItIs(ref, reach, story));
    throw error;
  }
}

/** Cancelling pauses the Deployment, so that no later run goes on behind the back of whoever cancelled. */
async function stopWhereItIs(ref: DeploymentRef, reach: Reach, story: Story): Promise<void> {
  const reason = 'cancelled in Temporal';
  const version = await reach.setPaused({ paused: true, cancelled: true, reason });
  await converge(ref, reach, story, version);
}

/** A request that can't be met, for want of rights or of a Deployment, must not end the rollout. */
async function obey(request: () => Promise<unknown>): Promise<void> {
  try {
    await request();
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn('a signal could not be obeyed', { error });
  }
}

/** Observe, plan, act, wait, until the plan says that nothing is left to do. */
async function converge(
  ref: DeploymentRef,
  reach: Reach,
  story: Story,
  writtenVersion?: string,
): Promise<DeploymentOutcome> {
  let failure: string | undefined;
  let seen = await reach.observe(firstLook(writtenVersion));
  while (seen.kind !== 'gone') {
    if (seen.kind === 'unchanged') {
      seen = await reach.observe({ withinMs: 0 });
      continue;
    }
    const { observation } = seen;
    const plan = planDeployment(observation);
    story.tell(plan, observation);
    if (isSettled(plan) && allHandlersFinished()) return finish(plan, failure);
    if (plan.phase === 'Failed' && plan.status !== undefined) failure = plan.summary;

    const request = { uid: observation.deployment.uid, versions: seen.versions };
    const done = hasWrites(plan)
      ? await reach.carryOut({ ...request, ...writesOf(plan) }, plan.summary)
      : { kind: 'done' as const, versions: seen.versions };
    if (done.kind === 'refused') throw await giveUp(reach, story, observation, done);

    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof deployment>(ref);
    }
    seen = await reach.observe({
      since: done.versions,
      mustDiffer: done.kind === 'stale',
      withinMs: done.kind === 'stale' ? 1_000 : patience(plan, observation),
    });
  }
  await condition(allHandlersFinished);
  return { phase: 'Deleted', revision: story.current.revision, summary: 'The Deployment is gone.' };
}

/** What a run has just written must have come back by the watch before it is looked at. */
function firstLook(writtenVersion: string | undefined): Parameters<Reach['observe']>[0] {
  if (writtenVersion === undefined) return { withinMs: 0 };
  return { since: { deployment: writtenVersion, replicaSets: {} }, withinMs: noDeadlineMs };
}

const hasWrites = ({ actions, status }: DeploymentPlan): boolean =>
  actions.length > 0 || status !== undefined;

const writesOf = ({ actions, status }: DeploymentPlan) => ({
  actions,
  ...(status === undefined ? {} : { status }),
});

function patience({ next }: DeploymentPlan, { observedAtMs }: DeploymentObservation): number {
  if (next.kind === 'end' || next.untilMs === undefined) return noDeadlineMs;
  return Math.max(0, next.untilMs - observedAtMs);
}

/** A rollout that failed under this run's eyes fails the run, so that CI and the UI's list see it. */
function finish(plan: DeploymentPlan, failure: string | undefined): DeploymentOutcome {
  const { phase, revision, summary } = plan;
  if (phase === 'Failed' && failure !== undefined) {
    throw ApplicationFailure.nonRetryable(summary, failureTypes.progressDeadlineExceeded);
  }
  return { phase, revision, summary };
}

/** Says in the Deployment's own status what the apiserver would not have, and ends. */
async function giveUp(
  reach: Reach,
  story: Story,
  observation: DeploymentObservation,
  refusal: {
    readonly problem: string;
    readonly versions: Parameters<Reach['carryOut']>[0]['versions'];
  },
): Promise<ApplicationFailure> {
  const plan = planStandstill(observation, 'ReplicaSetCreateError', refusal.problem);
  story.tell(plan, observation);
  if (hasWrites(plan)) {
    const { uid } = observation.deployment;
    await reach.carryOut({ uid, versions: refusal.versions, ...writesOf(plan) }, plan.summary);
  }
  await condition(allHandlersFinished);
  return ApplicationFailure.nonRetryable(plan.summary, failureTypes.refused);
}

/** Callers want the sentence that says what is wrong, not that some activity failed. */
function toApplicationFailure(error: unknown): unknown {
  if (!(error instanceof ActivityFailure)) return error;
  const { cause } = error;
  if (!(cause instanceof ApplicationFailure)) return error;
  return ApplicationFailure.nonRetryable(cause.message, cause.type ?? failureTypes.refused);
}
