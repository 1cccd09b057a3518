import type { KubernetesClient } from './client.js';
import { LivePods } from './live-pods.js';
import { RunOncePods } from './run-once-pods/run-once-pods.js';
import type { SharedWatchOptions } from './shared-watch.js';

/** The pods that all views of a cluster look at. */
export interface WatchedPods {
  /** Deployers and hooks, also those that have ended. */
  readonly runOnce: RunOncePods;
  readonly live: LivePods;
}

export const watchPods = (client: KubernetesClient, options: SharedWatchOptions): WatchedPods => ({
  runOnce: new RunOncePods(client, options),
  live: new LivePods(client, options),
});
