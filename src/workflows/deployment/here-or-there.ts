import {
  ActivityFailure,
  ApplicationFailure,
  RetryState,
  TimeoutFailure,
} from '@temporalio/common';
import {
  ActivityCancellationType,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';

import type {
  AdvanceRequest,
  AdvanceResult,
  DeploymentActivities,
  DeploymentRef,
  Elsewhere,
  Manifest,
  SetPausedRequest,
  Versions,
  WriteResult,
} from '../../contracts/deployment.js';
import { clusterTaskQueue, watchTaskQueue } from '../../contracts/task-queues.js';

const backoff = {
  initialInterval: '100ms',
  backoffCoefficient: 2,
  maximumInterval: '10s',
} as const;
/** A few tries here; then it is given to others, whose tries leave no trace in the history. */
const local = { startToCloseTimeout: '60s', retry: { ...backoff, maximumAttempts: 3 } } as const;

type Reached<T> = Exclude<T, Elsewhere>;

/** What the workflow can do, wherever the worker is that can do it. */
export interface Reach {
  advance(request: Omit<AdvanceRequest, 'ref'>, summary: string): Promise<Reached<AdvanceResult>>;
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
    startToCloseTimeout: '40m',
    heartbeatTimeout: '5s',
    // Whatever it does after that finds the spec changed, so a cancelled run need not wait for its end.
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    retry: { ...backoff, maximumInterval: '2s' },
    summary: `wait for something to do for ${ref.namespace}/${ref.name}`,
  });

  return {
    async advance(request, summary) {
      const options = { ...local, summary };
      const brief = await orElsewhere(
        here.advanceDeployment.executeWithOptions(options, [{ ref, ...request }]),
      );
      if (brief.kind !== 'elsewhere' && brief.kind !== 'unchanged') return brief;
      const rest = brief.kind === 'unchanged' ? afterwards(request, brief.versions) : request;
      const long = await atWatcher.advanceDeployment({ ref, ...rest });
      return long.kind === 'elsewhere' ? { kind: 'unchanged' } : long;
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

/** What was to be carried out is done by then: what is left is to wait. */
function afterwards(
  { work: _done, ...request }: Omit<AdvanceRequest, 'ref'>,
  versions: Versions | undefined,
): Omit<AdvanceRequest, 'ref'> {
  return versions === undefined ? request : { ...request, since: versions };
}

/** What fails here in a way that may pass is tried elsewhere. */
async function orElsewhere<T>(call: Promise<T>): Promise<T | Elsewhere> {
  try {
    return await call;
  } catch (error) {
    const mayPass =
      error instanceof ActivityFailure &&
      error.retryState !== RetryState.CANCEL_REQUESTED &&
      (error.cause instanceof TimeoutFailure ||
        (error.cause instanceof ApplicationFailure && error.cause.nonRetryable !== true));
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
