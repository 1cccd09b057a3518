import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ChildWorkflowCancellationType, ParentClosePolicy, startChild } from '@temporalio/workflow';

import type { VersionRef } from '../../contracts/deployment-config.js';
import { taskQueue } from '../../contracts/task-queues.js';
import { hookWorkflowId, workflowTypes } from '../../contracts/workflow-ids.js';
import type { HookMoment } from '../../domain/shared/hook.js';

/**
 * A hook has a run of its own, which tells how it goes by what it keeps with the version; one that is there
 * already is as good as another.
 */
export async function startHook(ref: VersionRef, moment: HookMoment): Promise<void> {
  const { version, namespace, name, cluster } = ref;
  try {
    await startChild(workflowTypes.hook, {
      workflowId: hookWorkflowId(ref, version, moment),
      taskQueue,
      args: [{ cluster, namespace, name, version, moment }],
      // It outlives the run that starts it, and ends by itself when the version is stopped.
      parentClosePolicy: ParentClosePolicy.ABANDON,
      cancellationType: ChildWorkflowCancellationType.ABANDON,
      staticSummary: `The ${moment} hook of ${namespace}/${name}-${version} in ${cluster}`,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
