import type { RollbackWarning } from '../../domain/rollback/report.js';
import { isForbidden, isNotFound } from '../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import { configAnnotations } from '../../kubernetes/deployment-configs/annotations.js';
import type {
  DeploymentConfig,
  ReplicationController,
} from '../../kubernetes/deployment-configs/objects.js';
import type { ImageRepository } from '../../kubernetes/image-repositories/objects.js';
import type { Deployment, KubernetesObject } from '../../kubernetes/objects.js';
import { resources, type ResourceType } from '../../kubernetes/resources.js';
import type { Service } from '../../kubernetes/rollback/objects.js';

/** What a namespace has that a look before going back is about. */
export interface Seen {
  readonly configs: readonly DeploymentConfig[];
  /** Of the configs that go back. */
  readonly controllers: readonly ReplicationController[];
  readonly deployments: readonly Deployment[];
  readonly services: readonly Service[];
  readonly repositories: readonly ImageRepository[];
  /** What could not be looked at. */
  readonly warnings: readonly RollbackWarning[];
}

/** One list of each kind, whatever the number of those that go back. */
export async function observeSurroundings(
  client: Pick<KubernetesClient, 'list'>,
  namespace: string,
  names: readonly string[],
): Promise<Seen> {
  const warnings: RollbackWarning[] = [];
  /** What is beside them is worth a warning, and no reason not to go back. */
  const listBeside = async <T extends KubernetesObject>(type: ResourceType): Promise<T[]> => {
    try {
      return (await client.list<T>(type, namespace)).items;
    } catch (error) {
      // A kind that is not installed has no objects.
      if (isNotFound(error)) return [];
      if (!isForbidden(error)) throw error;
      const message = 'they are not taken into account: the worker may not list them';
      warnings.push({ kind: 'NotChecked', object: `${type.kind}s of ${type.apiVersion}`, message });
      return [];
    }
  };
  const labelSelector = `${configAnnotations.configName} in (${names.join(',')})`;
  const [configs, controllers, deployments, services, repositories] = await Promise.all([
    client.list<DeploymentConfig>(resources.deploymentConfigs, namespace),
    client.list<ReplicationController>(resources.replicationControllers, namespace, {
      labelSelector,
    }),
    listBeside<Deployment>(resources.slipwayDeployments),
    listBeside<Service>(resources.services),
    listBeside<ImageRepository>(resources.imageRepositories),
  ]);
  return {
    configs: configs.items,
    controllers: controllers.items,
    deployments,
    services,
    repositories,
    warnings,
  };
}
