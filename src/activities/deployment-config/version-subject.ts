import type { Versions } from '../../contracts/advance.js';
import type { VersionRef } from '../../contracts/deployment-config.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import type {
  DeploymentConfig,
  ReplicationController,
} from '../../kubernetes/deployment-configs/objects.js';

/** What the writes of a plan are about. */
export interface VersionSubject {
  readonly client: KubernetesClient;
  readonly ref: VersionRef;
  readonly config: DeploymentConfig;
  /** The resource versions that the plan was made from, by uid. */
  readonly planned: Versions['replicaSets'];
  /** A ReplicationController as it was seen. */
  readonly seen: (name: string) => ReplicationController | undefined;
}
