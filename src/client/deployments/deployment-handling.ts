import type { Deployment } from '../../kubernetes/objects.js';
import type { Handling } from '../handling.js';
import { cancelDeployment } from './cancel-deployment.js';
import { followDeployments } from './deployment-follower.js';
import { pauseDeployment, resumeDeployment } from './pause-deployment.js';
import { readDeploymentHistory } from './deployment-history.js';
import { planDeploymentUndo } from './plan-deployment-undo.js';

/** What commands can do for Deployments of either API. */
export const deploymentHandling: Handling<Deployment> = {
  history: readDeploymentHistory,
  undo: planDeploymentUndo,
  pause: pauseDeployment,
  resume: resumeDeployment,
  cancel: cancelDeployment,
  follow: followDeployments,
};
