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

import type {
  VersionActivities,
  VersionOutcome,
  VersionRef,
  VersionRequest,
  VersionSeen,
} from '../../contracts/deployment-config.js';
import { failureTypes } from '../../contracts/failure-types.js';
import { signalNames, statusQueryName, type SignalRequest } from '../../contracts/messages.js';
import { cancelReasons } from '../../domain/deployment-config/cancel-reasons.js';
import { hasWrites, isSettled, type VersionPlan } from '../../domain/deployment-config/plan.js';
import { defined } from '../../domain/shared/optional.js';
import {
  advanceHereOrThere,
  clusterOptions,
  hereOptions,
  watcherOptions,
  writeHereOrThere,
} from '../reach.js';
import { resolveVersion } from './resolve-version.js';
import { VersionStory } from './version-story.js';

export const pauseVersionSignal = defineSignal<[SignalRequest?]>(signalNames.pause);
export const resumeVersionSignal = defineSignal<[SignalRequest?]>(signalNames.resume);
export const versionStatusQuery = defineQuery<VersionOutcome>(statusQueryName);

type NextLook = Omit<VersionRequest, 'ref'>;

const lookNow: NextLook = { until: 'work' };

/** What one run remembers; everything else is in the config and its versions. */
interface Run {
  readonly ref: VersionRef;
  readonly story: VersionStory;
  /** How many signals have come so far. */
  requests: number;
  /** The failure was found by this run, not by one before it. */
  hasFailed: boolean;
}

/**
 * Brings one version of a DeploymentConfig to rest: New, Pending, Running, and then Complete or Failed.
 * A version that is over gets another run when its size changes or somebody wants it tried again.
 */
export async function deploymentConfig(
  input: VersionRef,
  before?: Pick<Run, 'hasFailed'>,
): Promise<VersionOutcome> {
  const ref = resolveVersion(input, workflowInfo().workflowId);
  const run: Run = {
    ref,
    story: new VersionStory(ref),
    requests: 0,
    hasFailed: before?.hasFailed ?? false,
  };
  setHandler(versionStatusQuery, () => run.story.current);
  setHandler(pauseVersionSignal, (request) => setPaused(run, true, request));
  setHandler(resumeVersionSignal, () => setPaused(run, false));
  try {
    return await converge(run);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => stop(run));
    throw error;
  }
}

/** Cancelling marks the version, so that any later run goes on with going back. */
async function stop(run: Run): Promise<void> {
  const { ref } = run;
  const request = { ref, reason: cancelReasons.byUser };
  const { here, atCluster } = activitiesFor(ref);
  const done = await writeHereOrThere(
    () => here.cancelVersion(request),
    () => atCluster.cancelVersion(request),
  );
  // Whatever it finds, the run ends as cancelled.
  if (done.kind === 'done') await converge(run).catch(() => undefined);
}

/** A request that can't be met must not end the rollout. */
async function setPaused(run: Run, paused: boolean, request?: SignalRequest): Promise<void> {
  run.requests += 1;
  const reason = typeof request === 'string' ? request : request?.reason;
  const { here, atCluster } = activitiesFor(run.ref);
  const asked = { ref: run.ref, paused, ...defined({ reason }) };
  try {
    await writeHereOrThere(
      () => here.setConfigPaused(asked),
      () => atCluster.setConfigPaused(asked),
    );
  } catch (error) {
    log.warn(`could not ${paused ? 'pause' : 'resume'} as asked by signal`, { error });
  }
}

/** Take note of what was seen, have it carried out, wait, until the plan says that nothing is left to do. */
async function converge(run: Run): Promise<VersionOutcome> {
  const { ref, story } = run;
  const { here, atWatcher } = activitiesFor(ref);
  let look = lookNow;
  let summary = 'look at the version';
  let refusal: string | undefined;
  // Of the signals, those whose answers the look in hand has taken into account.
  let answered = 0;
  while (true) {
    const options = { ...hereOptions, summary };
    const seen = await advanceHereOrThere(
      look,
      (asked) => here.advanceVersion.executeWithOptions(options, [{ ref, ...asked }]),
      (asked) => atWatcher.advanceVersion({ ref, ...asked }),
    );
    switch (seen.kind) {
      case 'gone':
        await condition(allHandlersFinished);
        return story.tell({ phase: 'Deleted', summary: 'The DeploymentConfig is gone.' });
      case 'unchanged':
        look = lookNow;
        break;
      case 'refused':
        // The version fails of it; what is refused even then is beyond this run.
        if (refusal === seen.problem) {
          story.tell({ phase: 'Failed', summary: seen.problem });
          throw ApplicationFailure.nonRetryable(seen.problem, failureTypes.refused);
        }
        run.hasFailed = true;
        refusal = seen.problem;
        look = { since: seen.versions, until: 'caughtUp', refusal };
        break;
      case 'seen': {
        const { plan } = seen;
        ({ summary } = plan);
        story.tell(plan);
        if (!isSettled(plan)) {
          look = { ...planLook(run, seen), ...defined({ refusal }) };
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
      await continueAsNew<typeof deploymentConfig>(ref, { hasFailed: run.hasFailed });
    }
  }
}

function planLook(run: Run, { plan, isDone, versions }: VersionSeen): NextLook {
  const { actions, status, next } = plan;
  if (actions.some((action) => action.kind === 'setPhase' && action.to === 'Failed')) {
    run.hasFailed = true;
  }
  return {
    since: versions,
    until: 'work',
    ...(hasWrites(plan) && !isDone ? { work: { actions, ...defined({ status }) } } : {}),
    ...(next.kind === 'wait' ? defined({ untilMs: next.untilMs }) : {}),
  };
}

/** A version that failed under this run's eyes fails the run, so that the UI's list shows it. */
function finish({ ref, hasFailed }: Run, { phase, summary }: VersionPlan): VersionOutcome {
  if (hasFailed && (phase === 'Failed' || phase === 'Cancelled')) {
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
