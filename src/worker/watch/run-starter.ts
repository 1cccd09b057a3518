import { setTimeout as delay } from 'node:timers/promises';

import { WorkflowIdConflictPolicy, type Client } from '@temporalio/client';
import type { Logger } from 'pino';

import { describeRun } from '../../contracts/search-attributes.js';
import { taskQueue } from '../../contracts/task-queues.js';
import { deploymentWorkflowId, workflowTypes } from '../../contracts/workflow-ids.js';
import { planDeployment } from '../../domain/deployment/plan-deployment.js';
import { isSettled, isUrgent, type DeploymentPlan } from '../../domain/deployment/plan.js';
import { formatKey, type DeploymentKey } from '../../kubernetes/deployments/deployment-key.js';
import type { DeploymentView } from '../../kubernetes/deployments/deployment-view.js';

/** Counts that change by themselves come one after another; a run writes them when that is over. */
const calmMs = 1_000;
const longestCalmMs = 5_000;
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
  /** Called when something changes during a delay before the next run. */
  onChange: () => void;
}

/** What a run is needed for. */
interface Need {
  readonly generation: number;
  /** There is more to do than to write down counts. */
  readonly isUrgent: boolean;
  /** What is known of the run before it begins; absent when the cluster can't be asked. */
  readonly plan?: Pick<DeploymentPlan, 'phase' | 'revision' | 'summary'>;
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
      known.onChange();
    } else if (!this.options.signal.aborted) {
      const care: Care = { key, isDirty: true, onChange: () => undefined };
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
      const need = await this.letCalm(care);
      if (need === undefined) {
        // A change that came while we looked has to be looked at, too.
        if (this.isDirty(care)) continue;
        return;
      }
      const isNews = need.generation !== generation;
      ({ generation } = need);
      if (isNews) retryMs = firstRetryMs;
      else if (ledNowhere) {
        await this.waitForSpec(care, generation, retryMs);
        retryMs = Math.min(retryMs * 2, longestRetryMs);
        ledNowhere = false;
        continue;
      }
      const endedWell = await this.runOnce(care.key, need);
      ledNowhere = !(endedWell && this.isDirty(care));
    }
  }

  private isDirty({ isDirty }: Care): boolean {
    return isDirty;
  }

  /** What there is to do once no more counts change, or at once when it is more than counts. */
  private async letCalm(care: Care): Promise<Need | undefined> {
    const untilMs = Date.now() + longestCalmMs;
    while (true) {
      care.isDirty = false;
      const need = await this.findNeed(care.key);
      if (need?.isUrgent !== false || Date.now() >= untilMs) return need;
      if (!(await this.wait(care, calmMs, () => true))) return need;
    }
  }

  /** Until the time is up or somebody changes the spec; the status alone changes with each run. */
  private async waitForSpec(care: Care, generation: number, ms: number): Promise<void> {
    const isChanged = async (): Promise<boolean> =>
      (await this.findNeed(care.key))?.generation !== generation;
    if (!(await isChanged())) await this.wait(care, ms, isChanged);
  }

  /** Resolves to true as soon as a change is of interest, to false when the time is up. */
  private async wait(
    care: Care,
    ms: number,
    isOfInterest: () => boolean | Promise<boolean>,
  ): Promise<boolean> {
    const hurried = new AbortController();
    care.onChange = () => {
      void Promise.resolve(isOfInterest()).then((isSo) => {
        if (isSo) hurried.abort();
      });
    };
    const signal = AbortSignal.any([this.options.signal, hurried.signal]);
    await delay(ms, undefined, { signal }).catch(() => undefined);
    care.onChange = () => undefined;
    return hurried.signal.aborted;
  }

  private async findNeed(key: DeploymentKey): Promise<Need | undefined> {
    const { view, logger } = this.options;
    try {
      const sighting = await view.observe(key);
      if (sighting === undefined) return undefined;
      const { observation } = sighting;
      const plan = planDeployment(observation);
      if (isSettled(plan)) return undefined;
      const { generation } = observation.deployment;
      return { generation, isUrgent: isUrgent(plan, observation), plan };
    } catch (error) {
      // The apiserver can't be asked just now: a run would only wait for it, so that is no reason not to.
      logger.warn({ err: error, ...key }, 'could not look at a Deployment');
      return { generation: 0, isUrgent: true };
    }
  }

  /** Resolves to whether the run ended well. */
  private async runOnce(key: DeploymentKey, { plan }: Need): Promise<boolean> {
    const { client, cluster, logger, signal } = this.options;
    const { namespace, name, api } = key;
    const ref = { cluster, namespace, name };
    const workflowId = deploymentWorkflowId(ref);
    const known = plan === undefined ? [] : describeRun(ref, plan.phase, plan.revision);
    try {
      const handle = await client.workflow.start(workflowTypes.deployment, {
        workflowId,
        taskQueue,
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
        args: [{ cluster, namespace, name, api }],
        staticSummary: `Deployment ${namespace}/${name} in ${cluster}`,
        staticDetails: [...(plan === undefined ? [] : [plan.summary]), runDetails].join('\n\n'),
        // Said here, it needs no task of its own.
        typedSearchAttributes: [...known],
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
