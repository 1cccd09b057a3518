import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ChildWorkflowCancellationType, ParentClosePolicy, startChild } from '@temporalio/workflow';

import type { Versions } from '../../contracts/advance.js';
import type { VersionRef } from '../../contracts/deployment-config.js';
import { taskQueue } from '../../contracts/task-queues.js';
import { versionWorkflowId, workflowTypes } from '../../contracts/workflow-ids.js';

/**
 * A version has a run of its own, so that it goes on whatever becomes of the one that asked for it; one that is
 * there already is as good as another.
 */
export async function startVersion(ref: VersionRef, since: Versions): Promise<void> {
  const { version, namespace, name, cluster } = ref;
  try {
    await startChild(workflowTypes.deploymentConfig, {
      workflowId: versionWorkflowId(ref, version),
      taskQueue,
      args: [{ cluster, namespace, name, version, since }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      cancellationType: ChildWorkflowCancellationType.ABANDON,
      staticSummary: `Version ${version} of DeploymentConfig ${namespace}/${name} in ${cluster}`,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
