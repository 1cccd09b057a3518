import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ChildWorkflowCancellationType, ParentClosePolicy, startChild } from '@temporalio/workflow';

import { hookOwnerName, hookWorkflowId, type HookRef } from '../../contracts/hook.js';
import { taskQueue } from '../../contracts/task-queues.js';
import { workflowTypes } from '../../contracts/workflow-ids.js';

/**
 * A hook has a run of its own, which tells how it goes by what it keeps with its deployment; one that is
 * there already is as good as another, unless it is about to end. Resolves to whether it was started now.
 */
export async function startHook(ref: HookRef): Promise<boolean> {
  const { moment, namespace, cluster } = ref;
  try {
    await startChild(workflowTypes.hook, {
      workflowId: hookWorkflowId(ref),
      taskQueue,
      args: [ref],
      // It outlives the run that starts it, and ends by itself when its deployment is stopped.
      parentClosePolicy: ParentClosePolicy.ABANDON,
      cancellationType: ChildWorkflowCancellationType.ABANDON,
      staticSummary: `The ${moment} hook of ${namespace}/${hookOwnerName(ref)} in ${cluster}`,
    });
    return true;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return false;
  }
}
