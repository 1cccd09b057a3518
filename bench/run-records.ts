import type { Client } from '@temporalio/client';

import { workflowTypes } from '../src/contracts/workflow-ids.js';
import { waitUntil } from '../src/dev/stack/wait-until.js';

const isDeploymentRun = `WorkflowType = '${workflowTypes.deployment}'`;
const recordedWithinMs = 60_000;

/** What Temporal remembers of the runs that rolled Deployments. */
export class RunRecords {
  constructor(private readonly client: Client) {}

  async countOpen(): Promise<number> {
    const { count } = await this.client.workflow.count(
      `${isDeploymentRun} AND ExecutionStatus = 'Running'`,
    );
    return count;
  }

  /** Until no Deployment is being worked on. */
  async waitUntilIdle(signal: AbortSignal): Promise<void> {
    const ask = async (): Promise<true | undefined> =>
      (await this.countOpen()) === 0 ? true : undefined;
    await waitUntil(ask, { withinMs: recordedWithinMs, signal });
  }

  /** How many events the runs since then have left behind, for each of that many Deployments. */
  async countEvents(since: Date, deployments: number, signal: AbortSignal): Promise<number[]> {
    const ask = async (): Promise<number[] | undefined> => {
      const events = new Map<string, number>();
      const query = `${isDeploymentRun} AND StartTime >= '${since.toISOString()}'`;
      for await (const run of this.client.workflow.list({ query })) {
        // Known when the run has ended.
        if (run.closeTime === undefined) return undefined;
        events.set(run.workflowId, (events.get(run.workflowId) ?? 0) + run.historyLength);
      }
      return events.size >= deployments ? [...events.values()] : undefined;
    };
    return waitUntil(ask, { withinMs: recordedWithinMs, signal });
  }
}
