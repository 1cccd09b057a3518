import { setTimeout as delay } from 'node:timers/promises';

import { WorkflowIdConflictPolicy, type Client } from '@temporalio/client';
import type { Logger } from 'pino';

import { taskQueue } from '../../contracts/task-queues.js';
import { deploymentWorkflowId, workflowTypes } from '../../contracts/workflow-ids.js';
import { planDeployment } from '../../domain/deployment/plan-deployment.js';
import { isSettled } from '../../domain/deployment/plan.js';
import { formatKey, type DeploymentKey } from '../../kubernetes/deployments/deployment-key.js';
import type { DeploymentView } from '../../kubernetes/deployments/deployment-view.js';

const firstRetryMs = 1_000;
const longestRetryMs = 5 * 60_000;

export interface RunStarterOptions {
  readonly cluster: string;
  readonly view: DeploymentView;
  readonly client: Client;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Starts a run for each Deployment that is not at rest, and follows it to its end: what changed in the
 * run's last moment is looked at again then, so that nothing is missed between two runs.
 */
export class RunStarter {
  private readonly following = new Map<string, DeploymentKey>();
  private unsubscribe: () => void = () => undefined;

  constructor(private readonly options: RunStarterOptions) {}

  start(): void {
    const { view } = this.options;
    this.unsubscribe = view.onChange((key) => {
      this.consider(key);
    });
    for (const key of view.keys()) this.consider(key);
  }

  stop(): void {
    this.unsubscribe();
  }

  private consider(key: DeploymentKey): void {
    const id = formatKey(key);
    if (this.following.has(id) || this.options.signal.aborted) return;
    this.following.set(id, key);
    this.bringToRest(key)
      .catch((error: unknown) => {
        this.options.logger.error({ err: error, ...key }, 'could not follow a run');
      })
      .finally(() => this.following.delete(id));
  }

  /** Run after run until the Deployment is at rest; runs that lead nowhere come ever more slowly. */
  private async bringToRest(key: DeploymentKey): Promise<void> {
    const { signal } = this.options;
    let retryMs = firstRetryMs;
    let generation: number | undefined;
    while (!signal.aborted) {
      const restless = await this.isRestless(key);
      if (restless === undefined) return;
      if (restless.generation !== generation) retryMs = firstRetryMs;
      generation = restless.generation;
      const led = await this.runOnce(key);
      if (led === 'somewhere') continue;
      await delay(retryMs, undefined, { signal }).catch(() => undefined);
      retryMs = Math.min(retryMs * 2, longestRetryMs);
    }
  }

  private async isRestless(key: DeploymentKey): Promise<{ generation: number } | undefined> {
    const { view, logger } = this.options;
    try {
      const sighting = await view.observe(key);
      if (sighting === undefined || isSettled(planDeployment(sighting.observation)))
        return undefined;
      return { generation: sighting.observation.deployment.generation };
    } catch (error) {
      // The apiserver can't be asked just now: a run would only wait for it, so that is no reason not to.
      logger.warn({ err: error, ...key }, 'could not look at a Deployment');
      return { generation: 0 };
    }
  }

  private async runOnce(key: DeploymentKey): Promise<'somewhere' | 'nowhere'> {
    const { client, cluster, logger, signal } = this.options;
    const { namespace, name, api } = key;
    const workflowId = deploymentWorkflowId({ cluster, namespace, name });
    try {
      const handle = await client.workflow.start(workflowTypes.deployment, {
        workflowId,
        taskQueue,
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
        args: [{ cluster, namespace, name, api }],
        staticSummary: `Deployment ${namespace}/${name} in ${cluster}`,
      });
      await client.withAbortSignal(signal, () => handle.result());
      return 'somewhere';
    } catch (error) {
      if (signal.aborted) return 'nowhere';
      logger.warn(
        { workflowId, ...key, reason: error instanceof Error ? describe(error) : error },
        'a run did not end well',
      );
      return 'nowhere';
    }
  }
}

function describe(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}
