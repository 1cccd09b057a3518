import type { WorkflowHandle } from '@temporalio/client';

import { statusQueryName } from '../../contracts/messages.js';
import type { RollbackInput, RollbackRunStatus } from '../../contracts/rollback.js';
import { taskQueue } from '../../contracts/task-queues.js';
import { rollbackWorkflowId, workflowTypes } from '../../contracts/workflow-ids.js';
import type { TemporalOptions } from '../connect-temporal.js';
import { badInput } from '../failure.js';
import type { RollbackEnd } from './read-rollback-end.js';

export interface RollbackRun {
  readonly workflowId: string;
  readonly end: () => Promise<RollbackEnd>;
  /** Whether a worker has taken it up. */
  readonly isTaken: () => Promise<boolean>;
}

/** So often a dry run waits for somebody else's of the same name. */
const dryRunTries = 5;
/** Started, and waiting for a worker. */
const eventsOfUntouched = 2;

/** Starts a run of the workflow `rollback`, lends it to the action, and closes the connection then. */
export async function withRollbackRun<T>(
  options: TemporalOptions,
  input: RollbackInput,
  action: (run: RollbackRun) => Promise<T>,
): Promise<T> {
  // Loading Temporal's client takes most of a second, so only a command that needs it does.
  const [{ Client }, { connectTemporal }, { readRollbackEnd, isAlreadyStarted }] =
    await Promise.all([
      import('@temporalio/client'),
      import('../connect-temporal.js'),
      import('./read-rollback-end.js'),
    ]);
  const { connection, namespace } = await connectTemporal(options);
  const client = new Client({ connection, namespace });
  const names = input.members.map(({ name }) => name);
  const workflowId = rollbackWorkflowId(input, names, input.dryRun);
  const start = () =>
    client.workflow.start(workflowTypes.rollback, {
      workflowId,
      taskQueue,
      args: [input],
      staticSummary: `${input.dryRun === true ? 'What going back would mean for' : 'Going back with'} ${names.join(', ')} of ${input.namespace} in ${input.cluster}`,
    });
  const endOf = (handle: WorkflowHandle) =>
    readRollbackEnd(handle.result(), () => handle.query<RollbackRunStatus>(statusQueryName));
  const startInTurn = async () => {
    for (let count = 1; ; count += 1) {
      try {
        return await start();
      } catch (error) {
        if (!isAlreadyStarted(error)) throw error;
        if (input.dryRun !== true) {
          throw badInput(
            `a rollback of ${names.join(', ')} is under way already: ${workflowId}; nothing was changed`,
            error,
          );
        }
        if (count >= dryRunTries) throw error;
        // Whatever comes of it: what was asked there may differ from what is asked here.
        await endOf(client.workflow.getHandle(workflowId));
      }
    }
  };
  try {
    const handle = await startInTurn();
    return await action({
      workflowId,
      // By its own run: once it is over, another may begin under the same id.
      end: () => endOf(client.workflow.getHandle(workflowId, handle.firstExecutionRunId)),
      isTaken: async () => (await handle.describe()).historyLength > eventsOfUntouched,
    });
  } finally {
    await connection.close();
  }
}
