import { ApplicationFailure } from '@temporalio/common';

import type { DeploymentRef } from '../contracts/deployment.js';
import { failureTypes } from '../contracts/failure-types.js';
import type { Cluster } from '../kubernetes/connect.js';
import type { ConfigView } from '../kubernetes/deployment-configs/config-view.js';
import type { DeploymentView } from '../kubernetes/deployments/deployment-view.js';

/** What the watcher of a cluster sees. */
export interface Views {
  readonly deployments: DeploymentView;
  /** Absent where the kind is not installed. */
  readonly configs?: ConfigView;
}

/**
 * What this process can do for which cluster: call those it has a connection to, and see those it is
 * the one to watch.
 */
export class ClusterAccess {
  private readonly clusters: ReadonlyMap<string, Cluster>;
  private readonly views = new Map<string, Views>();

  constructor(
    clusters: readonly Cluster[],
    private readonly dropIn: boolean,
  ) {
    this.clusters = new Map(clusters.map((cluster) => [cluster.name, cluster]));
  }

  /** Deployments of `apps/v1` belong to the built-in controller unless we were told otherwise. */
  checkApi({ api }: DeploymentRef): void {
    if (api !== 'apps/v1' || this.dropIn) return;
    throw ApplicationFailure.nonRetryable(
      'apiVersion: Deployments of apps/v1 are rolled out only by a worker with --drop-in',
      failureTypes.badInput,
    );
  }

  cluster(name: string): Cluster | undefined {
    return this.clusters.get(name);
  }

  view(name: string): DeploymentView | undefined {
    return this.views.get(name)?.deployments;
  }

  configView(name: string): ConfigView | undefined {
    return this.views.get(name)?.configs;
  }

  /** From now on waits on that cluster are served here, until the returned function is called. */
  serve(name: string, views: Views): () => void {
    this.views.set(name, views);
    return () => {
      if (this.views.get(name) === views) this.views.delete(name);
    };
  }
}
