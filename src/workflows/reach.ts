import {
  ActivityFailure,
  ApplicationFailure,
  RetryState,
  TimeoutFailure,
} from '@temporalio/common';
import { ActivityCancellationType } from '@temporalio/workflow';

import type { AdvanceRequest, AdvanceResult, Elsewhere, Versions } from '../contracts/advance.js';
import type { ObjectRef } from '../contracts/workflow-ids.js';
import { clusterTaskQueue, watchTaskQueue } from '../contracts/task-queues.js';

const backoff = {
  initialInterval: '100ms',
  backoffCoefficient: 2,
  maximumInterval: '10s',
} as const;

/** A few tries here; then it is given to others, whose tries leave no trace in the history. */
export const hereOptions = {
  startToCloseTimeout: '60s',
  retry: { ...backoff, maximumAttempts: 3 },
} as const;

export const clusterOptions = ({ cluster }: ObjectRef) => ({
  taskQueue: clusterTaskQueue(cluster),
  startToCloseTimeout: '60s' as const,
  retry: backoff,
});

export const watcherOptions = ({ cluster, namespace, name }: ObjectRef) => ({
  taskQueue: watchTaskQueue(cluster),
  startToCloseTimeout: '40m' as const,
  heartbeatTimeout: '5s' as const,
  // Whatever it does after that finds the spec changed, so a cancelled run need not wait for its end.
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: { ...backoff, maximumInterval: '2s' as const },
  summary: `wait for something to do for ${namespace}/${name}`,
});

export type Reached<T> = Exclude<T, Elsewhere>;

type Request<Work> = Omit<AdvanceRequest<unknown, Work>, 'ref'>;

/**
 * Brings an object forward: first in the worker that has the workflow; where that one can't, because it
 * has no connection to the cluster or another one watches it, or when it takes long, by the watcher.
 */
export async function advanceHereOrThere<Plan, Work>(
  request: Request<Work>,
  here: (request: Request<Work>) => Promise<AdvanceResult<Plan>>,
  atWatcher: (request: Request<Work>) => Promise<AdvanceResult<Plan>>,
): Promise<Reached<AdvanceResult<Plan>>> {
  const brief = await orElsewhere(here(request));
  if (brief.kind !== 'elsewhere' && brief.kind !== 'unchanged') return brief;
  const rest = brief.kind === 'unchanged' ? afterwards(request, brief.versions) : request;
  const long = await atWatcher(rest);
  return long.kind === 'elsewhere' ? { kind: 'unchanged' } : long;
}

/** A write that any worker can make that has a connection to the cluster: this one, if it has. */
export async function writeHereOrThere<Result extends { readonly kind: string }>(
  here: () => Promise<Result | Elsewhere>,
  atCluster: () => Promise<Result | Elsewhere>,
): Promise<Reached<Result>> {
  const done = await orElsewhere(here());
  if (done.kind !== 'elsewhere') return done as Reached<Result>;
  const there = await atCluster();
  if (there.kind === 'elsewhere') {
    throw new Error('a worker polls the queue of a cluster that it has no connection to');
  }
  return there as Reached<Result>;
}

/** What was to be carried out is done by then: what is left is to wait. */
function afterwards<Work>(
  { work: _done, ...request }: Request<Work>,
  versions: Versions | undefined,
): Request<Work> {
  return versions === undefined ? request : { ...request, since: versions };
}

/** What fails here in a way that may pass is tried elsewhere. */
async function orElsewhere<T>(call: Promise<T>): Promise<T | Elsewhere> {
  try {
    return await call;
  } catch (error) {
    if (!mayPass(error)) throw error;
    return { kind: 'elsewhere' };
  }
}

/** What went wrong in a local activity comes as it is; in any other, as the cause of what says where. */
function mayPass(error: unknown): boolean {
  const isWrapped = error instanceof ActivityFailure;
  if (isWrapped && error.retryState === RetryState.CANCEL_REQUESTED) return false;
  const cause = isWrapped ? error.cause : error;
  return (
    cause instanceof TimeoutFailure ||
    (cause instanceof ApplicationFailure && cause.nonRetryable !== true)
  );
}
