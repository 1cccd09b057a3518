import type { DeploymentConfig } from '../../kubernetes/deployment-configs/objects.js';
import type { Handling } from '../handling.js';
import { approveStep } from './approve-step.js';
import { cancelVersion } from './cancel-version.js';
import { createConfigFollower } from './config-follower.js';
import { readConfigHistory } from './config-history.js';
import { pauseConfig, resumeConfig } from './pause-config.js';
import { requestVersion } from './request-version.js';
import { retryVersion } from './retry-version.js';

/** What commands can do for DeploymentConfigs. */
export const configHandling: Handling<DeploymentConfig> = {
  history: readConfigHistory,
  pause: pauseConfig,
  resume: resumeConfig,
  cancel: cancelVersion,
  retry: retryVersion,
  approve: approveStep,
  trigger: requestVersion,
  follow: ({ status }) => createConfigFollower(status?.latestVersion ?? 0),
};
