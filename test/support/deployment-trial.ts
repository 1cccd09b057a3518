import { randomBytes } from 'node:crypto';

import { Client, Connection } from '@temporalio/client';

import { deploymentWorkflowId } from '../../src/contracts/workflow-ids.js';
import type { DeploymentApi } from '../../src/domain/deployment/observation.js';
import { isNotFound } from '../../src/kubernetes/api-error.js';
import { connectCluster, type Cluster } from '../../src/kubernetes/connect.js';
import { deploymentTypes } from '../../src/kubernetes/deployments/deployment-key.js';
import type { Deployment, Pod, ReplicaSet } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { waitFor } from './wait-for.js';

export interface Servers {
  readonly kubeconfig: string;
  readonly temporalAddress: string;
}

export const sharedServers = (): Servers => ({
  kubeconfig: process.env['SLIPWAY_E2E_KUBECONFIG'] ?? '',
  temporalAddress: process.env['SLIPWAY_E2E_TEMPORAL_ADDRESS'] ?? '',
});

/** One namespace in which a test plays with Deployments, and what it needs to look at them. */
export class DeploymentTrial {
  readonly namespace = `test-${randomBytes(4).toString('hex')}`;

  private constructor(
    readonly cluster: Cluster,
    readonly connection: Connection,
    readonly temporal: Client,
  ) {}

  static async open(servers: Servers): Promise<DeploymentTrial> {
    const cluster = connectCluster({ kubeconfig: servers.kubeconfig, clusterName: 'local' });
    const connection = await Connection.connect({ address: servers.temporalAddress });
    const trial = new DeploymentTrial(cluster, connection, new Client({ connection }));
    await cluster.client.create(resources.namespaces, { metadata: { name: trial.namespace } });
    return trial;
  }

  async close(): Promise<void> {
    await this.cluster.client.delete(resources.namespaces, undefined, this.namespace);
    await this.cluster.client.close();
    await this.connection.close();
  }

  manifest(api: DeploymentApi, name: string, spec: object = {}, image = 'example.com/web:1') {
    return {
      apiVersion: api,
      kind: 'Deployment',
      metadata: { name, namespace: this.namespace },
      spec: {
        replicas: 4,
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name } },
          spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image }] },
        },
        ...spec,
      },
    };
  }

  async create(api: DeploymentApi, name: string, spec: object = {}): Promise<Deployment> {
    return this.cluster.client.create<Deployment>(
      deploymentTypes[api],
      this.manifest(api, name, spec),
      { strict: true },
    );
  }

  get(api: DeploymentApi, name: string): Promise<Deployment> {
    return this.cluster.client.get(deploymentTypes[api], this.namespace, name);
  }

  patch(api: DeploymentApi, name: string, body: object): Promise<Deployment> {
    return this.cluster.client.patch(deploymentTypes[api], this.namespace, name, 'merge', body);
  }

  setImage(
    api: DeploymentApi,
    name: string,
    image: string,
    more: object = {},
  ): Promise<Deployment> {
    const template = { spec: { containers: [{ name: 'main', image }] } };
    return this.patch(api, name, { spec: { template, ...more } });
  }

  async replicaSets(name: string): Promise<ReplicaSet[]> {
    const { items } = await this.cluster.client.list<ReplicaSet>(
      resources.replicaSets,
      this.namespace,
      { labelSelector: `app=${name}` },
    );
    return items;
  }

  async pods(name: string): Promise<Pod[]> {
    const { items } = await this.cluster.client.list<Pod>(resources.pods, this.namespace, {
      labelSelector: `app=${name}`,
    });
    return items;
  }

  /** As `kubectl rollout status` judges it. */
  async untilComplete(api: DeploymentApi, name: string, withinMs = 60_000): Promise<Deployment> {
    return waitFor(
      `Deployment ${name} is complete`,
      async () => {
        const deployment = await this.get(api, name);
        return isComplete(deployment) ? deployment : undefined;
      },
      withinMs,
    );
  }

  async untilCondition(
    api: DeploymentApi,
    name: string,
    type: string,
    reason: string,
  ): Promise<Deployment> {
    return waitFor(`${type} of ${name} has reason ${reason}`, async () => {
      const deployment = await this.get(api, name);
      return conditionOf(deployment, type)?.reason === reason ? deployment : undefined;
    });
  }

  workflowId(name: string): string {
    return deploymentWorkflowId({ cluster: 'local', namespace: this.namespace, name });
  }

  run(name: string) {
    return this.temporal.workflow.getHandle(this.workflowId(name));
  }

  /** Waits until the newest run has ended and tells how. */
  async untilRunEnded(name: string): Promise<string> {
    return waitFor(`the run of ${name} has ended`, async () => {
      const { status } = await this.run(name).describe();
      return status.name === 'RUNNING' ? undefined : status.name;
    });
  }

  async isGone(api: DeploymentApi, name: string): Promise<boolean> {
    try {
      await this.get(api, name);
      return false;
    } catch (error) {
      if (isNotFound(error)) return true;
      throw error;
    }
  }
}

export function conditionOf({ status }: Deployment, type: string) {
  return status?.conditions?.find((condition) => condition.type === type);
}

export const imageOf = (set: ReplicaSet): string | undefined =>
  set.spec?.template?.spec?.containers[0]?.image;

function isComplete({ metadata, spec, status }: Deployment): boolean {
  const replicas = spec?.replicas ?? 1;
  return (
    (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0) &&
    (status?.updatedReplicas ?? 0) === replicas &&
    (status?.replicas ?? 0) === replicas &&
    (status?.availableReplicas ?? 0) === replicas
  );
}
