import type { Logger } from 'pino';

import { describeRun } from '../../contracts/search-attributes.js';
import { deploymentWorkflowId, workflowTypes } from '../../contracts/workflow-ids.js';
import { planDeployment } from '../../domain/deployment/plan-deployment.js';
import { isSettled, isUrgent, type DeploymentPlan } from '../../domain/deployment/plan.js';
import { formatKey, type DeploymentKey } from '../../kubernetes/deployments/deployment-key.js';
import type { DeploymentView } from '../../kubernetes/deployments/deployment-view.js';
import type { RunDescription, RunSource } from './run-source.js';

const details = [
  'Brings this Deployment to rest, then ends.',
  'The signals `pause` and `resume` write `spec.paused`; cancelling stops the rollout where it is.',
].join(' ');

/** The Deployments of a cluster. */
export function deploymentRuns(
  cluster: string,
  view: Pick<DeploymentView, 'keys' | 'observe' | 'onChange'>,
  logger: Pick<Logger, 'warn'>,
): RunSource<DeploymentKey> {
  return {
    keys: () => view.keys(),
    format: formatKey,
    onChange: (listener) => view.onChange(listener),
    findNeed: async (key) => {
      try {
        const sighting = await view.observe(key);
        if (sighting === undefined) return undefined;
        const { observation } = sighting;
        const plan = planDeployment(observation);
        if (isSettled(plan)) return undefined;
        return {
          state: String(observation.deployment.generation),
          isUrgent: isUrgent(plan, observation),
          run: describe(cluster, key, plan),
        };
      } catch (error) {
        // The apiserver can't be asked just now: a run would only wait for it, so that is no reason not to.
        logger.warn({ err: error, ...key }, 'could not look at a Deployment');
        return { state: '', isUrgent: true, run: describe(cluster, key) };
      }
    },
  };
}

function describe(cluster: string, key: DeploymentKey, plan?: DeploymentPlan): RunDescription {
  const { namespace, name, api } = key;
  const ref = { cluster, namespace, name };
  return {
    type: workflowTypes.deployment,
    workflowId: deploymentWorkflowId(ref),
    input: { ...ref, api },
    summary: `Deployment ${namespace}/${name} in ${cluster}`,
    details: plan === undefined ? details : `${plan.summary}\n\n${details}`,
    attributes: plan === undefined ? [] : describeRun('Deployment', ref, plan.phase, plan.revision),
  };
}
