import type { DeploymentActivities } from '../../contracts/deployment.js';
import type { ClusterAccess } from '../cluster-access.js';
import type { EventRecorder } from '../events.js';
import { createAdvanceDeployment } from './advance-deployment.js';
import { createApplyDeployment } from './apply-deployment.js';
import { createSetPaused } from './set-paused.js';

export function createDeploymentActivities(
  access: ClusterAccess,
  events: EventRecorder,
): DeploymentActivities {
  return {
    advanceDeployment: createAdvanceDeployment(access, events),
    setPaused: createSetPaused(access),
    applyDeployment: createApplyDeployment(access),
  };
}
