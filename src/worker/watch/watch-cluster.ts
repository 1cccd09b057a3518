import { setMaxListeners } from 'node:events';

import { cancellationSignal, cancelled, heartbeat } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { Worker, type NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';

import type { ClusterAccess } from '../../activities/cluster-access.js';
import type { EventRecorder } from '../../activities/events.js';
import type { VersionActivities } from '../../contracts/deployment-config.js';
import type { HookActivities } from '../../contracts/hook.js';
import type { RollbackActivities } from '../../contracts/rollback.js';
import type { DeploymentActivities, WatchActivities } from '../../contracts/deployment.js';
import { watchTaskQueue } from '../../contracts/task-queues.js';
import { ConfigView } from '../../kubernetes/deployment-configs/config-view.js';
import { DeploymentView } from '../../kubernetes/deployments/deployment-view.js';
import { watchPods } from '../../kubernetes/watched-pods.js';
import { configRuns } from './config-runs.js';
import { deploymentRuns } from './deployment-runs.js';
import { ImageResolver } from './images/image-resolver.js';
import { PodReleaser } from './pod-releaser.js';
import { rollbackRuns } from './rollback-runs.js';
import { RunStarter } from './run-starter.js';
import { VersionMaker } from './version-maker.js';

export interface WatchDependencies {
  readonly access: ClusterAccess;
  readonly activities: DeploymentActivities &
    VersionActivities &
    HookActivities &
    RollbackActivities;
  readonly events: EventRecorder;
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
    // Each watch listens to it, and each part that can be stopped.
    setMaxListeners(100, signal);
    const beat = setInterval(heartbeat, heartbeatMs);
    const onInterruption = (error: unknown): void => {
      logger.warn({ cluster: name, err: error }, 'the watch was interrupted');
    };
    const pods = watchPods(cluster.client, { onInterruption });
    const deployments = new DeploymentView(cluster.client, pods, { dropIn, onInterruption });
    const configs = new ConfigView(cluster.client, pods, { onInterruption });
    const views = [deployments, configs] as const;
    const watching = Promise.all([pods.runOnce.watch, ...views].map((part) => part.run(signal)));
    const shared = { client, logger, signal };
    const keeper = {
      cluster: name,
      client: cluster.client,
      view: configs,
      events: dependencies.events,
      logger,
      signal,
    };
    const starters = [
      new RunStarter({ ...shared, source: deploymentRuns(name, deployments, logger) }),
      new RunStarter({ ...shared, source: configRuns(name, configs, logger) }),
      new RunStarter({ ...shared, source: rollbackRuns(name, configs) }),
      new VersionMaker(keeper),
      new ImageResolver(keeper),
      new PodReleaser({ client: cluster.client, pods: pods.runOnce, views, logger, signal }),
    ];
    let stopServing: () => void = () => undefined;
    try {
      const ready = Promise.all([
        pods.runOnce.watch.whenReady,
        ...views.map((view) => view.whenReady()),
      ]);
      await Promise.race([ready, stopped(signal)]);
      stopServing = access.serve(name, { deployments, configs });
      for (const starter of starters) starter.start();
      logger.info({ cluster: name }, 'watching the cluster');
      await serveWaits(dependencies, name, signal);
    } finally {
      for (const starter of starters) starter.stop();
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
    activities: {
      advanceDeployment: activities.advanceDeployment,
      advanceVersion: activities.advanceVersion,
      advanceHook: activities.advanceHook,
      awaitVersion: activities.awaitVersion,
    },
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
