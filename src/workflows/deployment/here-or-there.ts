import {
  ActivityCancellationType,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';

import type {
  ApplyRequest,
  CarryOutRequest,
  CarryOutResult,
  DeploymentActivities,
  DeploymentRef,
  Elsewhere,
  ObserveRequest,
  ObserveResult,
  SetPausedRequest,
} from '../../contracts/deployment.js';
import { clusterTaskQueue, watchTaskQueue } from '../../contracts/task-queues.js';

/** How long to wait inside the workflow task, where an answer costs 5 ms instead of 50. */
const briefWaitMs = 1_000;
/** A long wait is renewed now and then, so that one activity never outgrows its timeout. */
const longWaitMs = 30 * 60_000;

const retry = {
  initialInterval: '100ms',
  backoffCoefficient: 2,
  maximumInterval: '10s',
} as const;

/** What the workflow can do, wherever the worker is that can do it. */
export interface Reach {
  observe(request: Omit<ObserveRequest, 'ref'>): Promise<Exclude<ObserveResult, Elsewhere>>;
  carryOut(
    request: Omit<CarryOutRequest, 'ref'>,
    summary: string,
  ): Promise<Exclude<CarryOutResult, Elsewhere>>;
  /** Resolves to the resource version that the Deployment has then. */
  setPaused(request: Omit<SetPausedRequest, 'ref'>): Promise<string>;
  /** Likewise. */
  apply(manifest: ApplyRequest['manifest']): Promise<string>;
}

/**
 * Short calls run as local activities in the worker that has the workflow. Where that one can't do
 * it, because it has no connection to the cluster or another one watches it, the call goes to the task
 * queue of those that can.
 */
export function createReach(ref: DeploymentRef): Reach {
  const here = proxyLocalActivities<DeploymentActivities>({
    startToCloseTimeout: '30s',
    retry,
  });
  const atCluster = proxyActivities<DeploymentActivities>({
    taskQueue: clusterTaskQueue(ref.cluster),
    startToCloseTimeout: '60s',
    retry,
  });
  const atWatcher = proxyActivities<DeploymentActivities>({
    taskQueue: watchTaskQueue(ref.cluster),
    startToCloseTimeout: longWaitMs + 60_000,
    heartbeatTimeout: '5s',
    // Nothing is lost with a wait, so a cancelled run need not wait for it to end.
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    retry: { ...retry, maximumInterval: '2s' },
    summary: `wait for a change of ${ref.namespace}/${ref.name}`,
  });

  const observe: Reach['observe'] = async (request) => {
    const brief = await here.observeDeployment({
      ref,
      ...request,
      withinMs: Math.min(request.withinMs, briefWaitMs),
    });
    const isDone = brief.kind !== 'elsewhere' && brief.kind !== 'unchanged';
    if (isDone || (brief.kind === 'unchanged' && request.withinMs <= briefWaitMs)) return brief;
    const long = await atWatcher.observeDeployment({
      ref,
      ...request,
      withinMs: Math.min(request.withinMs, longWaitMs),
    });
    return long.kind === 'elsewhere' ? { kind: 'unchanged' } : long;
  };

  return {
    observe,
    async carryOut(request, summary) {
      const options = { startToCloseTimeout: '30s', retry, summary } as const;
      const done = await here.carryOutPlan.executeWithOptions(options, [{ ref, ...request }]);
      if (done.kind !== 'elsewhere') return done;
      return reached(await atCluster.carryOutPlan({ ref, ...request }));
    },
    async setPaused(request) {
      const done = await here.setPaused({ ref, ...request });
      if (done.kind === 'done') return done.version;
      return reached(await atCluster.setPaused({ ref, ...request })).version;
    },
    async apply(manifest) {
      const done = await here.applyDeployment({ ref, manifest });
      if (done.kind === 'done') return done.version;
      return reached(await atCluster.applyDeployment({ ref, manifest })).version;
    },
  };
}

function reached<T extends { kind: string }>(result: T): Exclude<T, Elsewhere> {
  if (result.kind === 'elsewhere') {
    throw new Error('a worker polls the queue of a cluster that it has no connection to');
  }
  return result as Exclude<T, Elsewhere>;
}
