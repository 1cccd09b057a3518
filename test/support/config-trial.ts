import { randomBytes } from 'node:crypto';

import { Client, Connection } from '@temporalio/client';

import { versionWorkflowId } from '../../src/contracts/workflow-ids.js';
import { isNotFound } from '../../src/kubernetes/api-error.js';
import { connectCluster, type Cluster } from '../../src/kubernetes/connect.js';
import { configAnnotations } from '../../src/kubernetes/deployment-configs/annotations.js';
import type {
  DeploymentConfig,
  ReplicationController,
} from '../../src/kubernetes/deployment-configs/objects.js';
import type { KubernetesObject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import type { Servers } from './deployment-trial.js';
import { waitFor } from './wait-for.js';

/** One namespace in which a test plays with DeploymentConfigs, and what it needs to look at them. */
export class ConfigTrial {
  readonly namespace = `test-${randomBytes(4).toString('hex')}`;

  private constructor(
    readonly cluster: Cluster,
    readonly connection: Connection,
    readonly temporal: Client,
  ) {}

  static async open(servers: Servers): Promise<ConfigTrial> {
    const cluster = connectCluster({ kubeconfig: servers.kubeconfig, clusterName: 'local' });
    const connection = await Connection.connect({ address: servers.temporalAddress });
    const trial = new ConfigTrial(cluster, connection, new Client({ connection }));
    await cluster.client.create(resources.namespaces, { metadata: { name: trial.namespace } });
    return trial;
  }

  async close(): Promise<void> {
    await this.cluster.client.delete(resources.namespaces, undefined, this.namespace);
    await this.cluster.client.close();
    await this.connection.close();
  }

  template(name: string, image = 'example.com/web:1') {
    return {
      metadata: { labels: { app: name } },
      spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'web', image }] },
    };
  }

  create(name: string, spec: object = {}): Promise<DeploymentConfig> {
    const config = {
      metadata: { name, namespace: this.namespace },
      spec: {
        replicas: 4,
        selector: { app: name },
        template: this.template(name),
        ...spec,
      },
    } as DeploymentConfig;
    return this.cluster.client.create(resources.deploymentConfigs, config, { strict: true });
  }

  get(name: string): Promise<DeploymentConfig> {
    return this.cluster.client.get(resources.deploymentConfigs, this.namespace, name);
  }

  patch(name: string, body: object): Promise<DeploymentConfig> {
    const type = resources.deploymentConfigs;
    return this.cluster.client.patch(type, this.namespace, name, 'merge', body);
  }

  setImage(name: string, image: string, spec: object = {}): Promise<DeploymentConfig> {
    return this.patch(name, {
      spec: { ...spec, template: { spec: { containers: [{ name: 'web', image }] } } },
    });
  }

  annotateVersion(name: string, annotations: object): Promise<ReplicationController> {
    const type = resources.replicationControllers;
    const body = { metadata: { annotations } };
    return this.cluster.client.patch(type, this.namespace, name, 'merge', body);
  }

  async version(name: string): Promise<ReplicationController | undefined> {
    try {
      return await this.cluster.client.get<ReplicationController>(
        resources.replicationControllers,
        this.namespace,
        name,
      );
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Waits until a version is in that phase. */
  untilPhase(name: string, phase: string): Promise<ReplicationController> {
    return waitFor(`version ${name} is ${phase}`, async () => {
      const found = await this.version(name);
      return found !== undefined && phaseOf(found) === phase ? found : undefined;
    });
  }

  /** Waits until a version has that many pods, all of them available. */
  untilServing(name: string, pods: number): Promise<ReplicationController> {
    return waitFor(`version ${name} serves with ${pods} pods`, async () => {
      const found = await this.version(name);
      const isThere =
        found?.spec?.replicas === pods &&
        (found.status?.replicas ?? 0) === pods &&
        (found.status?.availableReplicas ?? 0) === pods;
      return isThere ? found : undefined;
    });
  }

  async untilCondition(name: string, type: string, reason: string): Promise<DeploymentConfig> {
    return waitFor(`${type} of ${name} has reason ${reason}`, async () => {
      const config = await this.get(name);
      const found = config.status?.conditions?.find((condition) => condition.type === type);
      return found?.reason === reason ? config : undefined;
    });
  }

  run(name: string, version: number) {
    const ref = { cluster: 'local', namespace: this.namespace, name };
    return this.temporal.workflow.getHandle(versionWorkflowId(ref, version));
  }

  async untilRunEnded(name: string, version: number): Promise<string> {
    return waitFor(`the run of ${name}-${version} has ended`, async () => {
      const { status } = await this.run(name, version).describe();
      return status.name === 'RUNNING' ? undefined : status.name;
    });
  }
}

/** Of a version that is to fail: those that are not may need longer on a busy machine. */
export const hasty = { strategy: { type: 'Rolling', rollingParams: { timeoutSeconds: 3 } } };

export const phaseOf = ({ metadata }: KubernetesObject): string | undefined =>
  metadata.annotations?.[configAnnotations.phase];

export const reasonOf = ({ metadata }: ReplicationController): string | undefined =>
  metadata.annotations?.[configAnnotations.statusReason];
