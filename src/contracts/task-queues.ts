/** Workflows, and the activities that any worker can carry out. */
export const taskQueue = 'slipway';

/** Activities that wait for a change in a cluster: polled by the one worker that watches it. */
export const watchTaskQueue = (cluster: string): string => `slipway-watch-${cluster}`;

/** Activities that need a connection to a cluster: polled by every worker that has one. */
export const clusterTaskQueue = (cluster: string): string => `slipway-cluster-${cluster}`;
