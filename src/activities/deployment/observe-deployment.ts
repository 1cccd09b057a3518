import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';

import type { DeploymentActivities, Seen } from '../../contracts/deployment.js';
import type { DeploymentObservation } from '../../domain/deployment/observation.js';
import { planDeployment } from '../../domain/deployment/plan-deployment.js';
import { planStandstill } from '../../domain/deployment/plan-standstill.js';
import { hasWork, type DeploymentPlan } from '../../domain/deployment/plan.js';
import { defined } from '../../domain/shared/optional.js';
import type { Sighting } from '../../kubernetes/deployments/deployment-view.js';
import { waitForChange } from '../../kubernetes/deployments/wait-for-change.js';
import type { ClusterAccess } from '../cluster-access.js';
import { toActivityFailure } from '../failures.js';

const heartbeatMs = 1_000;

/** Looks at a Deployment and plans its next step, or waits until there is one. */
export function createObserveDeployment(
  access: ClusterAccess,
): DeploymentActivities['observeDeployment'] {
  return async ({ ref, since, until, withinMs, refusal }) => {
    access.checkApi(ref);
    const view = access.view(ref.cluster);
    if (view === undefined) return { kind: 'elsewhere' };
    const plan = (observation: DeploymentObservation): DeploymentPlan =>
      refusal === undefined
        ? planDeployment(observation)
        : planStandstill(observation, 'ReplicaSetCreateError', refusal);
    const beat = activityInfo().isLocal ? undefined : setInterval(heartbeat, heartbeatMs);
    try {
      const result = await waitForChange(view, {
        key: ref,
        ...defined({ since }),
        mustDiffer: until === 'newWork',
        withinMs,
        signal: cancellationSignal(),
        isWorthwhile: ({ observation }) => until === 'caughtUp' || hasWork(plan(observation)),
      });
      return typeof result === 'string' ? { kind: result } : toSeen(result, plan);
    } catch (error) {
      throw toActivityFailure(error, `observe Deployment ${ref.namespace}/${ref.name}`);
    } finally {
      clearInterval(beat);
    }
  };
}

function toSeen(
  { observation, versions }: Sighting,
  plan: (observation: DeploymentObservation) => DeploymentPlan,
): Seen {
  const { observedAtMs, deployment } = observation;
  const { uid, generation } = deployment;
  return { kind: 'seen', observedAtMs, uid, generation, plan: plan(observation), versions };
}
