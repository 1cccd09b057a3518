import { activityInfo } from '@temporalio/activity';

import type { DeploymentActivities } from '../../contracts/deployment.js';
import { ourselves, someWorkflow } from '../../domain/shared/author.js';
import { deploymentTypes } from '../../kubernetes/deployments/deployment-key.js';
import { changedTemplate } from '../../kubernetes/deployments/read-deployment.js';
import type { Deployment } from '../../kubernetes/objects.js';
import { signChange } from '../../kubernetes/sign-change.js';
import type { ClusterAccess } from '../cluster-access.js';
import { toActivityFailure } from '../failures.js';

/** Applies a manifest that a run was started with. Unknown fields are errors, not warnings. */
export function createApplyDeployment(
  access: ClusterAccess,
): DeploymentActivities['applyDeployment'] {
  return async ({ ref, manifest }) => {
    access.checkApi(ref);
    const cluster = access.cluster(ref.cluster);
    if (cluster === undefined) return { kind: 'elsewhere' };
    const { namespace, name } = ref;
    const object: Deployment = {
      ...manifest,
      metadata: { ...manifest.metadata, namespace, name },
    };
    try {
      const type = deploymentTypes[ref.api];
      const { client } = cluster;
      const author = { by: describeRun(), manager: ourselves };
      const signed = await signChange<Deployment>(client, type, object, author, changedTemplate);
      const { metadata } = await client.apply(type, signed, { strict: true });
      return { kind: 'done', version: metadata.resourceVersion ?? '0' };
    } catch (error) {
      throw toActivityFailure(error, `apply Deployment ${namespace}/${name}`);
    }
  };
}

/** Names the run, so that whoever reads the history finds it. */
function describeRun(): string {
  const { runId } = activityInfo().workflowExecution ?? {};
  return runId === undefined ? someWorkflow : `${someWorkflow} (run ${runId})`;
}
