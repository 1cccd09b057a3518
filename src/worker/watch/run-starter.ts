import { setTimeout as delay } from 'node:timers/promises';

import { WorkflowIdConflictPolicy, type Client } from '@temporalio/client';
import type { Logger } from 'pino';

import { taskQueue } from '../../contracts/task-queues.js';
import type { Need, RunDescription, RunSource } from './run-source.js';

/** Counts that change by themselves come one after another; a run writes them when that is over. */
const calmMs = 1_000;
const longestCalmMs = 5_000;
const firstRetryMs = 1_000;
const longestRetryMs = 5 * 60_000;

export interface RunStarterOptions<Key> {
  readonly source: RunSource<Key>;
  readonly client: Pick<Client, 'workflow' | 'withAbortSignal'>;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  readonly signal: AbortSignal;
}

/** An object that is being brought to rest. */
interface Care<Key> {
  readonly key: Key;
  /** It changed since it was last looked at. */
  isDirty: boolean;
  /** Called when something changes during a delay before the next run. */
  onChange: () => void;
}

/**
 * Starts a run for each object that is not at rest, and follows it to its end: what changed in the
 * run's last moment is looked at again then, so that nothing is missed between two runs.
 */
export class RunStarter<Key> {
  private readonly cares = new Map<string, Care<Key>>();
  private unsubscribe: () => void = () => undefined;

  constructor(private readonly options: RunStarterOptions<Key>) {}

  start(): void {
    const { source } = this.options;
    this.unsubscribe = source.onChange((key) => {
      this.consider(key);
    });
    for (const key of source.keys()) this.consider(key);
  }

  stop(): void {
    this.unsubscribe();
  }

  private consider(key: Key): void {
    const id = this.options.source.format(key);
    const known = this.cares.get(id);
    if (known !== undefined) {
      known.isDirty = true;
      known.onChange();
    } else if (!this.options.signal.aborted) {
      const care: Care<Key> = { key, isDirty: true, onChange: () => undefined };
      this.cares.set(id, care);
      this.bringToRest(care, id).catch((error: unknown) => {
        this.cares.delete(id);
        this.options.logger.error({ err: error, object: id }, 'could not follow a run');
      });
    }
  }

  /** Run after run until the object is at rest; runs that lead nowhere come ever more slowly. */
  private async bringToRest(care: Care<Key>, id: string): Promise<void> {
    const { signal } = this.options;
    let retryMs = firstRetryMs;
    let state: string | undefined;
    let ledNowhere = false;
    while (!signal.aborted) {
      const need = await this.letCalm(care);
      if (need === undefined) {
        // A change that came while we looked has to be looked at, too.
        if (this.isDirty(care)) continue;
        break;
      }
      const isNews = need.state !== state;
      ({ state } = need);
      if (isNews) retryMs = firstRetryMs;
      else if (ledNowhere) {
        await this.waitForSpec(care, state, retryMs);
        retryMs = Math.min(retryMs * 2, longestRetryMs);
        ledNowhere = false;
        continue;
      }
      const endedWell = await this.runOnce(need.run);
      ledNowhere = !(endedWell && this.isDirty(care));
    }
    // In the same breath as the last look at it, so that no change falls in between.
    this.cares.delete(id);
  }

  private isDirty({ isDirty }: Care<Key>): boolean {
    return isDirty;
  }

  /** What there is to do once no more counts change, or at once when it is more than counts. */
  private async letCalm(care: Care<Key>): Promise<Need | undefined> {
    const untilMs = Date.now() + longestCalmMs;
    while (true) {
      care.isDirty = false;
      const need = await this.findNeed(care.key);
      if (need?.isUrgent !== false || Date.now() >= untilMs) return need;
      if (!(await this.wait(care, calmMs, () => true))) return need;
    }
  }

  /** Until the time is up or somebody changes the spec; the status alone changes with each run. */
  private async waitForSpec(care: Care<Key>, state: string, ms: number): Promise<void> {
    const isChanged = async (): Promise<boolean> =>
      (await this.findNeed(care.key))?.state !== state;
    if (!(await isChanged())) await this.wait(care, ms, isChanged);
  }

  /** Resolves to true as soon as a change is of interest, to false when the time is up. */
  private async wait(
    care: Care<Key>,
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

  private findNeed(key: Key): Promise<Need | undefined> {
    return this.options.source.findNeed(key);
  }

  /** Resolves to whether the run ended well. */
  private async runOnce(run: RunDescription): Promise<boolean> {
    const { client, logger, signal } = this.options;
    const { workflowId } = run;
    try {
      const handle = await client.workflow.start(run.type, {
        workflowId,
        taskQueue,
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
        args: [run.input],
        staticSummary: run.summary,
        staticDetails: run.details,
        typedSearchAttributes: [...run.attributes],
      });
      await client.withAbortSignal(signal, () => handle.result());
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      const reason = error instanceof Error ? describe(error) : error;
      logger.warn({ workflowId, reason }, 'a run did not end well');
      return false;
    }
  }
}

function describe(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}
