import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';

import type { DeploymentActivities } from '../../contracts/deployment.js';
import { planDeployment } from '../../domain/deployment/plan-deployment.js';
import { hasWork } from '../../domain/deployment/plan.js';
import { defined } from '../../domain/shared/optional.js';
import type { Sighting } from '../../kubernetes/deployments/deployment-view.js';
import { waitForChange } from '../../kubernetes/deployments/wait-for-change.js';
import type { ClusterAccess } from '../cluster-access.js';
import { toActivityFailure } from '../failures.js';

const heartbeatMs = 1_000;

/** Looks at a Deployment, or waits until there is something new that calls for an act. */
export function createObserveDeployment(
  access: ClusterAccess,
): DeploymentActivities['observeDeployment'] {
  return async ({ ref, since, mustDiffer, withinMs }) => {
    const view = access.view(ref.cluster);
    if (view === undefined) return { kind: 'elsewhere' };
    const beat = activityInfo().isLocal ? undefined : setInterval(heartbeat, heartbeatMs);
    try {
      const result = await waitForChange(view, {
        key: ref,
        ...defined({ since, mustDiffer }),
        withinMs,
        signal: cancellationSignal(),
        isWorthwhile,
      });
      return typeof result === 'string' ? { kind: result } : { kind: 'seen', ...result };
    } catch (error) {
      throw toActivityFailure(error, `observe Deployment ${ref.namespace}/${ref.name}`);
    } finally {
      clearInterval(beat);
    }
  };
}

const isWorthwhile = ({ observation }: Sighting): boolean => hasWork(planDeployment(observation));
