import { ApiError, isAlreadyExists, isConflict, isNotFound } from '../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import { deployerAccount } from '../../kubernetes/deployment-configs/annotations.js';
import { decodeConfig } from '../../kubernetes/deployment-configs/build-controller.js';
import { buildDeployerPod } from '../../kubernetes/deployment-configs/build-deployer-pod.js';
import type { ReplicationController } from '../../kubernetes/deployment-configs/objects.js';
import type { KubernetesObject, Pod } from '../../kubernetes/objects.js';
import { resources, type ResourceType } from '../../kubernetes/resources.js';
import { releasePod } from '../../kubernetes/run-once-pods/hold.js';
import { isLeftover } from '../../kubernetes/run-once-pods/read-run-once-pod.js';
import { toWritten, type Written } from '../carry-out.js';

interface PodTarget {
  readonly name: string;
  readonly uid: string;
}

/** Starts, ends and lets go of pods; each call is harmless when it is made twice. */
export class PodWriter {
  constructor(
    private readonly client: KubernetesClient,
    private readonly namespace: string,
  ) {}

  /** Made under a name of its own from the version's snapshot, so that there is never a second one. */
  async createDeployer(controller: ReplicationController): Promise<Written> {
    const config = decodeConfig(controller);
    if (config === undefined) {
      throw new ApiError(422, 'Invalid', `${controller.metadata.name}: its snapshot can't be read`);
    }
    await this.ensureAccount();
    return this.create(buildDeployerPod(config, controller), controller);
  }

  /** A pod of that name that is there already is ours, of which we have not heard yet, on its way out, or in the way. */
  async create(pod: Pod, { metadata: owner }: KubernetesObject): Promise<Written> {
    try {
      return toWritten(await this.client.create(resources.pods, pod, { brief: true }));
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const { name } = pod.metadata;
      const found = await this.client.get(resources.pods, this.namespace, name);
      const isOurs = found.metadata.ownerReferences?.some(({ uid }) => uid === owner.uid) === true;
      if (isOurs || isLeftover(found, owner)) throw error;
      const problem = `pod ${name} is there already and is not of this deployment`;
      throw new ApiError(422, 'Invalid', problem);
    }
  }

  async delete({ name, uid }: PodTarget): Promise<undefined> {
    try {
      const preconditions = { uid };
      await this.client.delete(resources.pods, this.namespace, name, { preconditions });
    } catch (error) {
      // Another one of that name is not the one that was meant.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
    return undefined;
  }

  async release({ name, uid }: PodTarget): Promise<undefined> {
    await releasePod(this.client, { namespace: this.namespace, name, uid });
    return undefined;
  }

  /** What OpenShift puts into each namespace, made where it is first needed. */
  private async ensureAccount(): Promise<void> {
    const { name, role } = deployerAccount;
    const { namespace } = this;
    await this.ensure(resources.serviceAccounts, { metadata: { name, namespace } });
    const binding = {
      metadata: { name: role, namespace },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    };
    await this.ensure(resources.roleBindings, binding);
  }

  private async ensure(type: ResourceType, object: KubernetesObject): Promise<void> {
    try {
      await this.client.create(type, object, { brief: true });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }
}
