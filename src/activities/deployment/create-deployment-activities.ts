import type { DeploymentActivities } from '../../contracts/deployment.js';
import type { ClusterAccess } from '../cluster-access.js';
import type { EventRecorder } from '../events.js';
import { createApplyDeployment } from './apply-deployment.js';
import { createCarryOutPlan } from './carry-out-plan.js';
import { createObserveDeployment } from './observe-deployment.js';
import { createSetPaused } from './set-paused.js';

export function createDeploymentActivities(
  access: ClusterAccess,
  events: EventRecorder,
): DeploymentActivities {
  return {
    observeDeployment: createObserveDeployment(access),
    carryOutPlan: createCarryOutPlan(access, events),
    setPaused: createSetPaused(access),
    applyDeployment: createApplyDeployment(access),
  };
}
