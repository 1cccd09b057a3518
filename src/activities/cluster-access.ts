import type { Cluster } from '../kubernetes/connect.js';
import type { DeploymentView } from '../kubernetes/deployments/deployment-view.js';

/**
 * What this process can do for which cluster: call those it has a connection to, and see those it is
 * the one to watch.
 */
export class ClusterAccess {
  private readonly clusters: ReadonlyMap<string, Cluster>;
  private readonly views = new Map<string, DeploymentView>();

  constructor(clusters: readonly Cluster[]) {
    this.clusters = new Map(clusters.map((cluster) => [cluster.name, cluster]));
  }

  cluster(name: string): Cluster | undefined {
    return this.clusters.get(name);
  }

  view(name: string): DeploymentView | undefined {
    return this.views.get(name);
  }

  /** From now on waits on that cluster are served here, until the returned function is called. */
  serve(name: string, view: DeploymentView): () => void {
    this.views.set(name, view);
    return () => {
      if (this.views.get(name) === view) this.views.delete(name);
    };
  }
}
