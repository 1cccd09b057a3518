import { continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow';

import type { WatchActivities } from '../../contracts/deployment.js';
import { clusterTaskQueue } from '../../contracts/task-queues.js';

export interface WatchInput {
  readonly cluster: string;
}

/**
 * Makes one worker the watcher of a cluster. The activity lasts as long as that worker does. When the
 * worker is stopped the activity ends, and the next run gives it to another at once; when its heartbeat
 * stops, Temporal does.
 */
export async function watch(input: WatchInput): Promise<void> {
  const { watchCluster } = proxyActivities<WatchActivities>({
    taskQueue: clusterTaskQueue(input.cluster),
    startToCloseTimeout: '1 day',
    heartbeatTimeout: '5s',
    retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s' },
    summary: `watch cluster ${input.cluster}`,
  });
  setCurrentDetails(
    `One worker watches cluster ${input.cluster} and starts a run wherever there is work; another takes over when it ends.`,
  );
  await watchCluster(input);
  await continueAsNew<typeof watch>(input);
}
