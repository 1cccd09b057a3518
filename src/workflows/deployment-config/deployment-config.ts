import { ApplicationFailure } from '@temporalio/common';
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  isCancellation,
  log,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';

import type { Elsewhere, Versions } from '../../contracts/advance.js';
import type {
  VersionActivities,
  VersionInput,
  VersionOutcome,
  VersionRef,
  VersionRequest,
  VersionSeen,
  WishResult,
} from '../../contracts/deployment-config.js';
import { failureTypes } from '../../contracts/failure-types.js';
import {
  signalNames,
  statusQueryName,
  type ApproveRequest,
  type SignalRequest,
} from '../../contracts/messages.js';
import { cancelReasons } from '../../domain/deployment-config/cancel-reasons.js';
import { hasWrites, isSettled, type VersionPlan } from '../../domain/deployment-config/plan.js';
import { witnessFailure, type Witness } from '../../domain/deployment-config/witness-failure.js';
import type { HookTurn } from '../../domain/shared/hook.js';
import { defined } from '../../domain/shared/optional.js';
import {
  advanceHereOrThere,
  clusterOptions,
  hereOptions,
  watcherOptions,
  writeHereOrThere,
} from '../reach.js';
import { HookStarter } from '../hook/hook-starter.js';
import { waitForVersion } from '../rollback/wait-for-version.js';
import { askBack } from './ask-back.js';
import { resolveVersion, type VersionTask } from './resolve-version.js';
import { VersionStory } from './version-story.js';

export const pauseVersionSignal = defineSignal<[SignalRequest?]>(signalNames.pause);
export const resumeVersionSignal = defineSignal<[SignalRequest?]>(signalNames.resume);
export const approveVersionSignal = defineSignal<[ApproveRequest?]>(signalNames.approve);
export const retryVersionSignal = defineSignal<[SignalRequest?]>(signalNames.retry);
export const versionStatusQuery = defineQuery<VersionOutcome>(statusQueryName);

type NextLook = Omit<VersionRequest, 'ref'>;

const lookNow: NextLook = { until: 'work' };

/** What one run remembers; everything else is in the config and its versions. */
interface Run {
  readonly ref: VersionRef;
  readonly story: VersionStory;
  /** Somebody started it and wants to know what comes of it. */
  readonly isAsked: boolean;
  /** What must be seen before the version is looked for that the run has gone back with. */
  goneBack?: Versions;
  /** How many signals have come so far. */
  requests: number;
  readonly hooks: HookStarter;
  witness: Witness;
}

/**
 * Brings one version of a DeploymentConfig to rest: New, Pending, Running, and then Complete or Failed.
 * A version that is over gets another run when its size changes or somebody wants it tried again.
 */
export async function deploymentConfig(
  input: VersionInput,
  before?: Pick<Run, 'isAsked'> & Partial<Witness>,
): Promise<VersionOutcome> {
  const task = resolveVersion(input, workflowInfo().workflowId);
  const { ref } = task;
  const run: Run = {
    ref,
    story: new VersionStory(ref),
    hooks: new HookStarter(),
    isAsked: before?.isAsked ?? (task.wish !== undefined || task.rollback !== undefined),
    requests: 0,
    witness: { wasOpen: before?.wasOpen ?? false, hasFailed: before?.hasFailed ?? false },
  };
  setHandler(versionStatusQuery, () => run.story.current);
  setHandler(pauseVersionSignal, (request) => setPaused(run, true, request));
  setHandler(resumeVersionSignal, () => setPaused(run, false));
  setHandler(approveVersionSignal, (request) => approve(run, request));
  setHandler(retryVersionSignal, (request) => retry(run, request));
  try {
    return await converge(run, await ask(run, task));
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => stop(run));
    throw error;
  }
}

/** Asks for the version, where the run was started for that, and tells what to look for then. */
async function ask(run: Run, task: VersionTask): Promise<NextLook> {
  const { ref, wish, manifest, rollback, since } = task;
  if (since !== undefined) return { since, until: 'caughtUp' };
  if (rollback !== undefined) {
    run.goneBack = await askBack(ref, rollback);
    return { since: run.goneBack, until: 'caughtUp' };
  }
  if (wish === undefined) return lookNow;
  const { here, atCluster } = activitiesFor(ref);
  const { runId } = workflowInfo();
  const request = { ref, wish, runId, ...defined({ manifest }) };
  const done = await writeHereOrThere(
    () => here.requestVersion(request),
    () => atCluster.requestVersion(request),
  );
  if (done.kind === 'gone') {
    const problem = `DeploymentConfig ${ref.namespace}/${ref.name} does not exist`;
    throw ApplicationFailure.nonRetryable(problem, failureTypes.badInput);
  }
  return { since: done.versions, until: 'caughtUp' };
}

/** Cancelling marks the version that is not over, so that any later run goes on with going back. */
async function stop(run: Run): Promise<void> {
  const { ref, goneBack: since } = run;
  let done = await cancel(ref);
  if (done.kind === 'gone' && since !== undefined) {
    // The config has gone back, and its version is about to be made: only then can it be stopped.
    await waitForVersion({ ref, since, until: 'begun' });
    done = await cancel(ref);
  }
  // Whatever it finds, the run ends as cancelled.
  if (done.kind !== 'gone') await converge(run, lookNow).catch(() => undefined);
}

function cancel(ref: VersionRef) {
  const request = { ref, reason: cancelReasons.byUser };
  const { here, atCluster } = activitiesFor(ref);
  return writeHereOrThere(
    () => here.cancelVersion(request),
    () => atCluster.cancelVersion(request),
  );
}

async function setPaused(run: Run, paused: boolean, request?: SignalRequest): Promise<void> {
  const { here, atCluster } = activitiesFor(run.ref);
  const asked = { ref: run.ref, paused, ...reasonOf(request) };
  await grant(run, paused ? 'pause' : 'resume', () =>
    writeHereOrThere(
      () => here.setConfigPaused(asked),
      () => atCluster.setConfigPaused(asked),
    ),
  );
}

async function approve(run: Run, request?: ApproveRequest): Promise<void> {
  const { here, atCluster } = activitiesFor(run.ref);
  const winner = typeof request === 'string' ? undefined : request?.winner;
  const asked = { ref: run.ref, ...reasonOf(request), ...defined({ winner }) };
  await grant(run, 'approve', () =>
    writeHereOrThere(
      () => here.approveVersion(asked),
      () => atCluster.approveVersion(asked),
    ),
  );
}

async function retry(run: Run, request?: SignalRequest): Promise<void> {
  const { here, atCluster } = activitiesFor(run.ref);
  const asked = { ref: run.ref, ...reasonOf(request) };
  await grant(run, 'retry', () =>
    writeHereOrThere(
      () => here.retryVersion(asked),
      () => atCluster.retryVersion(asked),
    ),
  );
}

const reasonOf = (request: SignalRequest | undefined): { readonly reason?: string } =>
  defined({ reason: typeof request === 'string' ? request : request?.reason });

/** A request that can't be met must not end the rollout. */
async function grant(
  run: Run,
  what: string,
  write: () => Promise<Exclude<WishResult, Elsewhere>>,
): Promise<void> {
  run.requests += 1;
  try {
    const done = await write();
    if (done.kind === 'needless') log.warn(`nothing to ${what}: ${done.why}`);
  } catch (error) {
    log.warn(`could not ${what} as asked by signal`, { error });
  }
}

/** Take note of what was seen, have it carried out, wait, until the plan says that nothing is left to do. */
async function converge(run: Run, firstLook: NextLook): Promise<VersionOutcome> {
  const { ref, story } = run;
  const { here, atWatcher } = activitiesFor(ref);
  let look = firstLook;
  let summary = 'look at the version';
  let refusal: string | undefined;
  // Of the signals, those whose answers the look in hand has taken into account.
  let answered = 0;
  while (true) {
    const options = { ...hereOptions, summary };
    const seen = await advanceHereOrThere(
      look,
      (asked) =>
        here.advanceVersion.executeWithOptions(options, [{ ref, ...asked, ...started(run) }]),
      (asked) => atWatcher.advanceVersion({ ref, ...asked, ...started(run) }),
    );
    switch (seen.kind) {
      case 'gone':
        await condition(allHandlersFinished);
        return story.tell({ phase: 'Deleted', summary: 'The DeploymentConfig is gone.' });
      case 'unchanged':
        run.hooks.forget();
        look = lookNow;
        break;
      case 'refused':
        // The version fails of it; what is refused even then is beyond this run.
        if (refusal === seen.problem) {
          story.tell({ phase: 'Failed', summary: seen.problem });
          throw ApplicationFailure.nonRetryable(seen.problem, failureTypes.refused);
        }
        run.witness = { ...run.witness, hasFailed: true };
        refusal = seen.problem;
        look = { since: seen.versions, until: 'caughtUp', refusal };
        break;
      case 'seen': {
        const { plan } = seen;
        ({ summary } = plan);
        story.tell(plan);
        run.witness = witnessFailure(run.witness, plan);
        await startTurn(run, plan.hook);
        // What was refused then may be taken when the version is tried again.
        if (plan.actions.some((action) => action.kind === 'setPhase' && action.to === 'New')) {
          refusal = undefined;
        }
        if (!isSettled(plan)) {
          look = run.hooks.limit({ ...planLook(seen), ...defined({ refusal }) });
        } else if (run.requests === answered) {
          return finish(run, plan);
        } else {
          await condition(allHandlersFinished);
          answered = run.requests;
          look = lookNow;
        }
      }
    }
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      const { isAsked, witness } = run;
      await continueAsNew<typeof deploymentConfig>(ref, { isAsked, ...witness });
    }
  }
}

const started = ({ hooks }: Run) => defined({ startedHook: hooks.started });

async function startTurn(run: Run, turn: HookTurn | undefined): Promise<void> {
  if (turn === undefined) return;
  const { cluster, namespace, name } = run.ref;
  const { moment, version = run.ref.version } = turn;
  await run.hooks.start(turn, { cluster, namespace, name, version, moment });
}

function planLook({ plan, isDone, versions }: VersionSeen): NextLook {
  const { actions, status, next } = plan;
  return {
    since: versions,
    until: 'work',
    ...(hasWrites(plan) && !isDone ? { work: { actions, ...defined({ status }) } } : {}),
    ...(next.kind === 'wait' ? defined({ untilMs: next.untilMs }) : {}),
  };
}

/** A version that failed under this run's eyes fails the run, so that the UI's list shows it. */
function finish({ ref, isAsked, witness }: Run, { phase, summary }: VersionPlan): VersionOutcome {
  if ((witness.hasFailed || isAsked) && (phase === 'Failed' || phase === 'Cancelled')) {
    const type = phase === 'Cancelled' ? failureTypes.cancelled : failureTypes.failed;
    throw ApplicationFailure.nonRetryable(summary, type);
  }
  return { phase, version: ref.version, summary };
}

function activitiesFor(ref: VersionRef) {
  return {
    here: proxyLocalActivities<VersionActivities>(hereOptions),
    atCluster: proxyActivities<VersionActivities>(clusterOptions(ref)),
    atWatcher: proxyActivities<VersionActivities>(watcherOptions(ref)),
  };
}
