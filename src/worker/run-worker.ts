import { hostname } from 'node:os';

import { WorkflowIdConflictPolicy, type Client } from '@temporalio/client';
import { Runtime, Worker } from '@temporalio/worker';
import type { Logger } from 'pino';

import { ClusterAccess } from '../activities/cluster-access.js';
import { createVersionActivities } from '../activities/deployment-config/create-version-activities.js';
import { createRollbackActivities } from '../activities/rollback/create-rollback-activities.js';
import { createHookActivities } from '../activities/hook/create-hook-activities.js';
import { createDeploymentActivities } from '../activities/deployment/create-deployment-activities.js';
import { EventRecorder } from '../activities/events.js';
import { clusterTaskQueue, taskQueue } from '../contracts/task-queues.js';
import { watchWorkflowId, workflowTypes } from '../contracts/workflow-ids.js';
import { isEnding } from '../kubernetes/api-error.js';
import { connectCluster, type Cluster } from '../kubernetes/connect.js';
import type { WorkerConfig } from './config.js';
import { findFreePort } from './free-port.js';
import { startHttpServer } from './http/http-server.js';
import { createRoutes } from './http/routes/create-routes.js';
import { createLogger, toTemporalLogger } from './logger.js';
import {
  openTemporalSession,
  readTemporalSettings,
  type TemporalSession,
} from './temporal-session.js';
import { createWatchCluster } from './watch/watch-cluster.js';
import { loadWorkflowBundle } from './workflow-bundle.js';

const askForWatchMs = 60_000;

/** Runs until it is told to stop; what is under way then is handed on, not lost. */
export async function runWorker(config: WorkerConfig): Promise<void> {
  const logger = createLogger(config.logLevel);
  const settings = readTemporalSettings(config.temporal);
  // What was opened is closed in reverse, however far the start came.
  const closers: (() => unknown)[] = [];
  try {
    const cluster = connectCluster(config);
    closers.push(() => cluster.client.close());
    await cluster.client.version();
    // From here on native code runs, which ends only when what it serves has been closed.
    const metrics = await installRuntime(config, logger);
    const session = await openTemporalSession(settings);
    closers.push(session.close);
    const stopping = new AbortController();
    let isReady = false;
    if (config.httpAddress !== undefined) {
      const http = await startHttpServer({
        address: config.httpAddress,
        routes: createRoutes({ cluster, isReady: () => isReady, metrics }),
        logger,
      });
      closers.push(() => http.close());
    }
    const { workers, events } = await createWorkers({ config, cluster, session, logger, stopping });
    const stop = (): void => {
      isReady = false;
      stopping.abort();
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    };
    // One that fails takes the other with it, so that the process ends and is started anew.
    const running = workers.map((worker) => worker.run().finally(stop));
    closers.push(async () => {
      stop();
      await Promise.allSettled(running);
      await events.flush();
    });
    stopOnSignals(logger, stop);
    await keepWatch(session.client, cluster.name, stopping.signal, logger);
    isReady = true;
    logger.info(
      { cluster: cluster.name, temporal: session.address, dropIn: config.dropIn },
      'worker is ready',
    );
    await Promise.all(running);
    logger.info('worker has stopped');
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

interface Parts {
  readonly config: WorkerConfig;
  readonly cluster: Cluster;
  readonly session: TemporalSession;
  readonly logger: Logger;
  readonly stopping: AbortController;
}

/** One for workflows and their local activities, one for what needs this very cluster. */
async function createWorkers(
  parts: Parts,
): Promise<{ readonly workers: readonly Worker[]; readonly events: EventRecorder }> {
  const { config, cluster, session, logger, stopping } = parts;
  const access = new ClusterAccess([cluster], config.dropIn);
  const events = new EventRecorder(
    (name) => access.cluster(name),
    `slipway-${hostname()}-${process.pid}`,
    (error) => {
      if (!isEnding(error)) logger.warn({ err: error }, 'an event was lost');
    },
  );
  const activities = {
    ...createDeploymentActivities(access, events),
    ...createVersionActivities(access, events),
    ...createHookActivities(access, events),
    ...createRollbackActivities(access, events),
  };
  const watchCluster = createWatchCluster({
    access,
    activities,
    events,
    client: session.client,
    connection: session.native,
    temporalNamespace: session.namespace,
    dropIn: config.dropIn,
    logger,
    stopping: stopping.signal,
  });
  const shared = {
    connection: session.native,
    namespace: session.namespace,
    shutdownGraceTime: '5s',
    shutdownForceTime: '10s',
  } as const;
  const workers = await Promise.all([
    Worker.create({
      ...shared,
      taskQueue,
      workflowBundle: await loadWorkflowBundle(),
      activities,
      enableNonLocalActivities: false,
      maxConcurrentWorkflowTaskExecutions: 300,
      maxConcurrentLocalActivityExecutions: 1_000,
      maxCachedWorkflows: 600,
    }),
    Worker.create({
      ...shared,
      taskQueue: clusterTaskQueue(cluster.name),
      activities: { ...activities, watchCluster },
      maxHeartbeatThrottleInterval: '1s',
    }),
  ]);
  return { workers, events };
}

/** Every worker asks for the watch, again now and then: somebody may have terminated it. */
async function keepWatch(
  client: Client,
  cluster: string,
  signal: AbortSignal,
  logger: Logger,
): Promise<void> {
  await ensureWatch(client, cluster);
  const timer = setInterval(() => {
    ensureWatch(client, cluster).catch((error: unknown) => {
      logger.warn({ cluster, err: error }, 'could not ask for the watch');
    });
  }, askForWatchMs);
  signal.addEventListener('abort', () => {
    clearInterval(timer);
  });
}

/** The first one's request stands. */
async function ensureWatch(client: Client, cluster: string): Promise<void> {
  await client.workflow.start(workflowTypes.watch, {
    workflowId: watchWorkflowId(cluster),
    taskQueue,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    args: [{ cluster }],
    staticSummary: `The watch over cluster ${cluster}`,
  });
}

/** Returns where the SDK's metrics can be read, which it serves on a port of its own. */
async function installRuntime(
  config: WorkerConfig,
  logger: Logger,
): Promise<() => Promise<string>> {
  const port = config.httpAddress === undefined ? undefined : await findFreePort();
  Runtime.install({
    logger: toTemporalLogger(logger),
    shutdownSignals: [],
    telemetryOptions: {
      logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
      ...(port === undefined
        ? {}
        : { metrics: { prometheus: { bindAddress: `127.0.0.1:${port}` } } }),
    },
  });
  return async () => (await fetch(`http://127.0.0.1:${port ?? 0}/metrics`)).text();
}

function stopOnSignals(logger: Logger, stop: () => void): void {
  let stopped = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopped) process.exit(1);
      stopped = true;
      logger.info({ signal }, 'stopping: finishing what is under way');
      stop();
    });
  }
}
