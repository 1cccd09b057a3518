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
  DeploymentRequest,
  DeploymentRunStatus,
  DeploymentSeen,
} from '../../contracts/deployment.js';
import { failureTypes } from '../../contracts/failure-types.js';
import { signalNames, statusQueryName, type SignalRequest } from '../../contracts/messages.js';
import {
  goesBackByItself,
  hasWrites,
  isSettled,
  type DeploymentPlan,
} from '../../domain/deployment/plan.js';
import { defined } from '../../domain/shared/optional.js';
import { HookStarter } from '../hook/hook-starter.js';
import { createReach, type Reach } from './here-or-there.js';
import { isManifest, resolveRef } from './resolve-ref.js';
import { Story } from './story.js';

export const pauseSignal = defineSignal<[SignalRequest?]>(signalNames.pause);
export const resumeSignal = defineSignal<[SignalRequest?]>(signalNames.resume);
export const statusQuery = defineQuery<DeploymentRunStatus>(statusQueryName);

type NextLook = Omit<DeploymentRequest, 'ref'>;

/** What is there is looked at at once; an ordinary step that is due is taken in the same breath. */
const lookNow: NextLook = { until: 'work' };

/** What one run remembers; everything else is in the Deployment. */
interface Run {
  readonly ref: DeploymentRef;
  readonly reach: Reach;
  readonly story: Story;
  /** Started by somebody who wants to know how the rollout ends, not by the watch. */
  readonly isAsked: boolean;
  uid?: string;
  readonly hooks: HookStarter;
  /** How many signals have come so far. */
  requests: number;
  /** It saw the rollout under way: a failure that it finds then is not that of a run before it. */
  wasMoving: boolean;
  /** The failure was found by this run, not by one before it. */
  hasFailed: boolean;
}

type Memory = Pick<Run, 'isAsked' | 'hasFailed' | 'wasMoving'>;

/**
 * Brings one Deployment to rest: a new template, a new size, a rollback. Ends when it is complete, has
 * failed, was cancelled or deleted; stays while it is paused. A run that continues another one is told
 * what that one knew.
 */
export async function deployment(
  input: DeploymentInput,
  before?: Partial<Memory>,
): Promise<DeploymentOutcome> {
  const ref = resolveRef(input, workflowInfo().workflowId);
  const run: Run = {
    ref,
    reach: createReach(ref),
    story: new Story(ref),
    hooks: new HookStarter(),
    isAsked: before?.isAsked ?? isManifest(input),
    requests: 0,
    wasMoving: before?.wasMoving ?? false,
    hasFailed: before?.hasFailed ?? false,
  };
  setHandler(statusQuery, () => run.story.current);
  setHandler(pauseSignal, (request) => setPaused(run, true, request));
  setHandler(resumeSignal, () => setPaused(run, false));
  try {
    const outcome = await converge(run, isManifest(input) ? await apply(run, input) : lookNow);
    // A request to cancel can come together with the answer that was waited for.
    const isCancelled = CancellationScope.current().consideredCancelled;
    if (isCancelled && outcome.phase !== 'Deleted') throw new CancelledFailure('cancelled');
    return outcome;
  } catch (error) {
    if (!isCancellation(error)) throw tellFailure(run, toApplicationFailure(error));
    await CancellationScope.nonCancellable(() => stopWhereItIs(run));
    throw error;
  }
}

async function apply({ reach }: Run, input: DeploymentInput): Promise<NextLook> {
  if (!isManifest(input)) return lookNow;
  const applied = await reach.apply(input);
  return applied.kind === 'done' ? lookSince(applied.version) : lookNow;
}

/** Cancelling pauses the Deployment, so that no later run goes on behind the back of whoever cancelled. */
async function stopWhereItIs(run: Run): Promise<void> {
  const paused = await run.reach.setPaused({
    paused: true,
    cancelled: true,
    reason: 'cancelled in Temporal',
    ...(run.uid === undefined ? {} : { uid: run.uid }),
  });
  // Whatever it finds, the run ends as cancelled.
  const bystander = { ...run, isAsked: false, hasFailed: false };
  if (paused.kind === 'done') await converge(bystander, lookSince(paused.version));
}

/** A request that can't be met, for want of rights or of a Deployment, must not end the rollout. */
async function setPaused(run: Run, paused: boolean, request?: SignalRequest): Promise<void> {
  run.requests += 1;
  const uid = run.uid === undefined ? {} : { uid: run.uid };
  const said = typeof request === 'string' ? request : request?.reason;
  const reason = said === undefined ? {} : { reason: said };
  try {
    await run.reach.setPaused({ paused, ...reason, ...uid });
  } catch (error) {
    log.warn(`could not ${paused ? 'pause' : 'resume'} as asked by signal`, { error });
  }
}

/** Take note of what was seen, have it carried out, wait, until the plan says that nothing is left to do. */
async function converge(run: Run, firstLook: NextLook): Promise<DeploymentOutcome> {
  let look = firstLook;
  let summary = 'look at the Deployment';
  let refusal: string | undefined;
  // Of the signals, those whose answers the look in hand has taken into account.
  let answered = 0;
  while (true) {
    const seen = await run.reach.advance(
      { ...look, ...defined({ startedHook: run.hooks.started }) },
      summary,
    );
    switch (seen.kind) {
      case 'gone':
        return sayFarewell(run);
      case 'unchanged':
        run.hooks.forget();
        look = lookNow;
        break;
      case 'refused':
        run.hasFailed = true;
        refusal = seen.problem;
        look = { since: seen.versions, until: 'caughtUp', refusal };
        break;
      case 'seen': {
        const { plan } = seen;
        run.uid = seen.uid;
        noteCourse(run, plan);
        run.story.tell(plan);
        await startTurn(run, plan);
        ({ summary } = plan);
        if (!isSettled(plan)) {
          look = run.hooks.limit({ ...planLook(run, seen), ...defined({ refusal }) });
        } else if (run.requests === answered) {
          return finish(run, plan);
        } else {
          answered = await answerAll(run);
          look = lookNow;
        }
      }
    }
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      const { ref, isAsked, hasFailed, wasMoving } = run;
      await continueAsNew<typeof deployment>(ref, { isAsked, hasFailed, wasMoving });
    }
  }
}

/**
 * A look whose answer was lost with the task that took it may have written down the failure already, so
 * what was written is not all there is to go by.
 */
function noteCourse(run: Run, { phase }: DeploymentPlan): void {
  if (phase === 'Progressing') run.wasMoving = true;
  if (phase === 'Failed' && run.wasMoving) run.hasFailed = true;
}

async function startTurn(run: Run, { hook: turn, revision }: DeploymentPlan): Promise<void> {
  if (turn?.set === undefined) return;
  const { cluster, namespace, name } = run.ref;
  const { set: replicaSet, moment } = turn;
  const version = Number(revision);
  await run.hooks.start(turn, { cluster, namespace, name, version, moment, replicaSet });
}

async function sayFarewell({ story }: Run): Promise<DeploymentOutcome> {
  await condition(allHandlersFinished);
  const { revision } = story.current;
  const outcome = { phase: 'Deleted', revision, summary: 'The Deployment is gone.' } as const;
  story.tell({ ...outcome, sets: [] });
  return outcome;
}

/**
 * What a signal asks for may change what there is to see. Whether one has come is the same in every
 * replay; whether its answer was there before a look's is not, so nothing may depend on that.
 */
async function answerAll(run: Run): Promise<number> {
  await condition(allHandlersFinished);
  return run.requests;
}

/** What to carry out, unless that is done, and when to look again at the latest. */
function planLook(run: Run, { plan, isDone, versions }: DeploymentSeen): NextLook {
  if ((plan.phase === 'Failed' && plan.status !== undefined) || goesBackByItself(plan)) {
    run.hasFailed = true;
  }
  const { actions, status, triggers, next } = plan;
  const work = { actions, ...defined({ status, triggers }) };
  return {
    since: versions,
    until: 'work',
    ...(hasWrites(plan) && !isDone ? { work } : {}),
    ...(next.kind === 'wait' ? defined({ untilMs: next.untilMs }) : {}),
  };
}

/** What a run has just written must have come back by the watch before it is looked at. */
function lookSince(version: string): NextLook {
  const since = { deployment: version, replicaSets: {} };
  return { since, until: 'caughtUp' };
}

/**
 * A rollout that failed under this run's eyes fails the run, so that the UI's list shows it; whoever
 * asked for a rollout wants to know in any case that it is not complete.
 */
function finish({ isAsked, hasFailed }: Run, plan: DeploymentPlan): DeploymentOutcome {
  const { phase, revision, summary, failure } = plan;
  if (phase === 'Failed' && (hasFailed || isAsked)) {
    throw ApplicationFailure.nonRetryable(summary, failure ?? failureTypes.refused);
  }
  if (phase === 'RolledBack' && hasFailed) {
    throw ApplicationFailure.nonRetryable(summary, failureTypes.rolledBack);
  }
  if (phase === 'Cancelled' && isAsked) {
    throw ApplicationFailure.nonRetryable(summary, failureTypes.cancelled);
  }
  return { phase, revision, summary };
}

/** So that a run that was refused at once is found by its search attributes, too. */
function tellFailure({ story }: Run, error: unknown): unknown {
  const { phase, revision } = story.current;
  const isTold = phase === 'Failed' || phase === 'Cancelled' || phase === 'RolledBack';
  if (error instanceof ApplicationFailure && !isTold) {
    story.tell({ phase: 'Failed', revision, summary: error.message, sets: [] });
  }
  return error;
}

/** Callers want the sentence that says what is wrong, not that some activity failed. */
function toApplicationFailure(error: unknown): unknown {
  if (!(error instanceof ActivityFailure)) return error;
  const { cause } = error;
  if (!(cause instanceof ApplicationFailure)) return error;
  return ApplicationFailure.nonRetryable(cause.message, cause.type ?? failureTypes.refused);
}
