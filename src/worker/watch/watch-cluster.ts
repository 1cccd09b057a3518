import { cancellationSignal, cancelled, heartbeat } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { Worker, type NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';

import type { ClusterAccess } from '../../activities/cluster-access.js';
import type { DeploymentActivities, WatchActivities } from '../../contracts/deployment.js';
import { watchTaskQueue } from '../../contracts/task-queues.js';
import { DeploymentView } from '../../kubernetes/deployments/deployment-view.js';
import { RunStarter } from './run-starter.js';

export interface WatchDependencies {
  readonly access: ClusterAccess;
  readonly activities: DeploymentActivities;
  readonly client: Client;
  readonly connection: NativeConnection;
  readonly temporalNamespace: string;
  readonly dropIn: boolean;
  readonly logger: Logger;
  /** Aborted when the worker is asked to stop, so that the next one can begin at once. */
  readonly stopping: AbortSignal;
}

const heartbeatMs = 1_000;

/** Makes this process the watcher of a cluster for as long as it lives. */
export function createWatchCluster(
  dependencies: WatchDependencies,
): WatchActivities['watchCluster'] {
  return async ({ cluster: name }) => {
    const { access, client, logger, dropIn } = dependencies;
    const cluster = access.cluster(name);
    if (cluster === undefined) throw new Error(`this worker has no connection to cluster ${name}`);
    const ended = new AbortController();
    const signal = AbortSignal.any([cancellationSignal(), dependencies.stopping, ended.signal]);
    const beat = setInterval(heartbeat, heartbeatMs);
    const view = new DeploymentView(cluster.client, {
      dropIn,
      onInterruption: (error) => {
        logger.warn({ cluster: name, err: error }, 'the watch was interrupted');
      },
    });
    const watching = view.run(signal);
    const starter = new RunStarter({ cluster: name, view, client, logger, signal });
    let stopServing: () => void = () => undefined;
    try {
      await Promise.race([view.whenReady(), stopped(signal)]);
      stopServing = access.serve(name, view);
      starter.start();
      logger.info({ cluster: name }, 'watching the cluster');
      await serveWaits(dependencies, name, signal);
    } finally {
      starter.stop();
      stopServing();
      ended.abort();
      clearInterval(beat);
      await watching;
    }
    // Taken away by Temporal, it ends as cancelled. Asked to stop, it ends well, and the workflow
    // passes the watch on at once.
    if (cancellationSignal().aborted) await cancelled();
  };
}

/** Polls the queue of those who wait for a change in this cluster, until the signal aborts. */
async function serveWaits(
  { connection, temporalNamespace, activities }: WatchDependencies,
  cluster: string,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const worker = await Worker.create({
    connection,
    namespace: temporalNamespace,
    taskQueue: watchTaskQueue(cluster),
    activities: { advanceDeployment: activities.advanceDeployment },
    maxConcurrentActivityTaskExecutions: 10_000,
    maxHeartbeatThrottleInterval: '2s',
    shutdownGraceTime: 0,
    shutdownForceTime: '5s',
  });
  await worker.runUntil(stopped(signal).catch(() => undefined));
}

/** Rejects when the signal aborts. */
function stopped(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = (): void => {
      reject(new Error('the watch was stopped'));
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
