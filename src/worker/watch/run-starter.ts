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

/** For whoever opens a run in the UI; what it does just now is in its current details. */
const runDetails = [
  'Brings this Deployment to rest, then ends.',
  'The signals `pause` and `resume` write `spec.paused`; cancelling stops the rollout where it is.',
].join(' ');

export interface RunStarterOptions {
  readonly cluster: string;
  readonly view: Pick<DeploymentView, 'keys' | 'observe' | 'onChange'>;
  readonly client: Pick<Client, 'workflow' | 'withAbortSignal'>;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  readonly signal: AbortSignal;
}

/** A Deployment that is being brought to rest. */
interface Care {
  readonly key: DeploymentKey;
  /** It changed since it was last looked at. */
  isDirty: boolean;
  /** Ends a delay before the next run, because something changed. */
  hurry: () => void;
}

/**
 * Starts a run for each Deployment that is not at rest, and follows it to its end: what changed in the
 * run's last moment is looked at again then, so that nothing is missed between two runs.
 */
export class RunStarter {
  private readonly cares = new Map<string, Care>();
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
    const known = this.cares.get(id);
    if (known !== undefined) {
      known.isDirty = true;
      known.hurry();
    } else if (!this.options.signal.aborted) {
      const care: Care = { key, isDirty: true, hurry: () => undefined };
      this.cares.set(id, care);
      this.bringToRest(care)
        .catch((error: unknown) => {
          this.options.logger.error({ err: error, ...key }, 'could not follow a run');
        })
        .finally(() => this.cares.delete(id));
    }
  }

  /** Run after run until the Deployment is at rest; runs that lead nowhere come ever more slowly. */
  private async bringToRest(care: Care): Promise<void> {
    const { signal } = this.options;
    let retryMs = firstRetryMs;
    let generation: number | undefined;
    let ledNowhere = false;
    while (!signal.aborted) {
      care.isDirty = false;
      const restless = await this.isRestless(care.key);
      if (restless === undefined) {
        // A change that came while we looked has to be looked at, too.
        if (this.isDirty(care)) continue;
        return;
      }
      const isNews = restless.generation !== generation;
      generation = restless.generation;
      if (isNews) retryMs = firstRetryMs;
      else if (ledNowhere) {
        await this.wait(care, generation, retryMs);
        retryMs = Math.min(retryMs * 2, longestRetryMs);
        ledNowhere = false;
        continue;
      }
      const endedWell = await this.runOnce(care.key);
      ledNowhere = !(endedWell && this.isDirty(care));
    }
  }

  private isDirty({ isDirty }: Care): boolean {
    return isDirty;
  }

  /** Until the time is up or somebody changes the spec; the status alone changes with each run. */
  private async wait(care: Care, generation: number, ms: number): Promise<void> {
    const hurried = new AbortController();
    care.hurry = () => {
      void this.generationOf(care.key).then((now) => {
        if (now !== generation) hurried.abort();
      });
    };
    care.hurry();
    const signal = AbortSignal.any([this.options.signal, hurried.signal]);
    await delay(ms, undefined, { signal }).catch(() => undefined);
    care.hurry = () => undefined;
  }

  private async generationOf(key: DeploymentKey): Promise<number | undefined> {
    const sighting = await this.options.view.observe(key).catch(() => undefined);
    return sighting?.observation.deployment.generation;
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

  /** Resolves to whether the run ended well. */
  private async runOnce(key: DeploymentKey): Promise<boolean> {
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
        staticDetails: runDetails,
      });
      await client.withAbortSignal(signal, () => handle.result());
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      const reason = error instanceof Error ? describe(error) : error;
      logger.warn({ workflowId, ...key, reason }, 'a run did not end well');
      return false;
    }
  }
}

function describe(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}
