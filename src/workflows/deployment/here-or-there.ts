import { ActivityFailure, ApplicationFailure, RetryState } from '@temporalio/common';
import {
  ActivityCancellationType,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';

import type {
  CarryOutRequest,
  CarryOutResult,
  DeploymentActivities,
  DeploymentRef,
  Elsewhere,
  Manifest,
  ObserveRequest,
  ObserveResult,
  SetPausedRequest,
  WriteResult,
} from '../../contracts/deployment.js';
import { clusterTaskQueue, watchTaskQueue } from '../../contracts/task-queues.js';

/** How long to wait inside the workflow task, where an answer costs 5 ms instead of 50. */
const briefWaitMs = 1_000;
/** A long wait is renewed now and then, so that one activity never outgrows its timeout. */
const longWaitMs = 30 * 60_000;

const backoff = {
  initialInterval: '100ms',
  backoffCoefficient: 2,
  maximumInterval: '10s',
} as const;
/** A few tries here; then it is given to others, whose tries leave no trace in the history. */
const local = { startToCloseTimeout: '30s', retry: { ...backoff, maximumAttempts: 3 } } as const;

type Reached<T> = Exclude<T, Elsewhere>;

/** What the workflow can do, wherever the worker is that can do it. */
export interface Reach {
  observe(request: Omit<ObserveRequest, 'ref'>): Promise<Reached<ObserveResult>>;
  carryOut(
    request: Omit<CarryOutRequest, 'ref'>,
    summary: string,
  ): Promise<Reached<CarryOutResult>>;
  setPaused(request: Omit<SetPausedRequest, 'ref'>): Promise<Reached<WriteResult>>;
  apply(manifest: Manifest): Promise<Reached<WriteResult>>;
}

/**
 * Short calls run as local activities in the worker that has the workflow. Where that one can't do
 * it, because it has no connection to the cluster or another one watches it, the call goes to the task
 * queue of those that can.
 */
export function createReach(ref: DeploymentRef): Reach {
  const here = proxyLocalActivities<DeploymentActivities>(local);
  const atCluster = proxyActivities<DeploymentActivities>({
    taskQueue: clusterTaskQueue(ref.cluster),
    startToCloseTimeout: '60s',
    retry: backoff,
  });
  const atWatcher = proxyActivities<DeploymentActivities>({
    taskQueue: watchTaskQueue(ref.cluster),
    startToCloseTimeout: longWaitMs + 60_000,
    heartbeatTimeout: '5s',
    // Nothing is lost with a wait, so a cancelled run need not wait for it to end.
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    retry: { ...backoff, maximumInterval: '2s' },
    summary: `wait for a change of ${ref.namespace}/${ref.name}`,
  });

  return {
    async observe(request) {
      const brief = { ref, ...request, withinMs: Math.min(request.withinMs, briefWaitMs) };
      const seen = await orElsewhere(here.observeDeployment(brief));
      const isLonger = request.withinMs > briefWaitMs;
      if (seen.kind !== 'elsewhere' && !(seen.kind === 'unchanged' && isLonger)) return seen;
      const long = { ref, ...request, withinMs: Math.min(request.withinMs, longWaitMs) };
      const answer = await atWatcher.observeDeployment(long);
      return answer.kind === 'elsewhere' ? { kind: 'unchanged' } : answer;
    },
    async carryOut(request, summary) {
      const options = { ...local, summary };
      const done = await orElsewhere(
        here.carryOutPlan.executeWithOptions(options, [{ ref, ...request }]),
      );
      if (done.kind !== 'elsewhere') return done;
      return reached(await atCluster.carryOutPlan({ ref, ...request }));
    },
    async setPaused(request) {
      const done = await orElsewhere(here.setPaused({ ref, ...request }));
      if (done.kind !== 'elsewhere') return done;
      return reached(await atCluster.setPaused({ ref, ...request }));
    },
    async apply(manifest) {
      const done = await orElsewhere(here.applyDeployment({ ref, manifest }));
      if (done.kind !== 'elsewhere') return done;
      return reached(await atCluster.applyDeployment({ ref, manifest }));
    },
  };
}

/** What fails here in a way that may pass is tried elsewhere. */
async function orElsewhere<T>(call: Promise<T>): Promise<T | Elsewhere> {
  try {
    return await call;
  } catch (error) {
    const mayPass =
      error instanceof ActivityFailure &&
      error.retryState !== RetryState.CANCEL_REQUESTED &&
      error.cause instanceof ApplicationFailure &&
      error.cause.nonRetryable !== true;
    if (!mayPass) throw error;
    return { kind: 'elsewhere' };
  }
}

function reached<T extends { kind: string }>(result: T | Elsewhere): Reached<T> {
  if (result.kind === 'elsewhere') {
    throw new Error('a worker polls the queue of a cluster that it has no connection to');
  }
  return result as Reached<T>;
}
