import { changedTemplate } from '../../kubernetes/deployments/read-deployment.js';
import type { Deployment } from '../../kubernetes/objects.js';
import type { Handling } from '../handling.js';
import { cancelDeployment } from './cancel-deployment.js';
import { followDeployments } from './deployment-follower.js';
import { pauseDeployment, resumeDeployment } from './pause-deployment.js';
import { readDeploymentHistory, readDeploymentSnapshots } from './deployment-history.js';
import { findDeploymentLogs } from './deployment-logs.js';
import { planDeploymentUndo } from './plan-deployment-undo.js';
import { retryHooks } from './retry-hooks.js';

/** What commands can do for Deployments of either API. */
export const deploymentHandling: Handling<Deployment> = {
  history: readDeploymentHistory,
  diff: readDeploymentSnapshots,
  undo: planDeploymentUndo,
  pause: pauseDeployment,
  resume: resumeDeployment,
  cancel: cancelDeployment,
  retry: retryHooks,
  follow: followDeployments,
  sign: changedTemplate,
};

/** What they can do for those of our own API besides: only these have hooks. */
export const ownDeploymentHandling: Handling<Deployment> = {
  ...deploymentHandling,
  logs: findDeploymentLogs,
};
