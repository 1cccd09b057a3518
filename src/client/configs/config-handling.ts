import { changedTemplate } from '../../kubernetes/deployment-configs/config-change.js';
import type { DeploymentConfig } from '../../kubernetes/deployment-configs/objects.js';
import type { Handling } from '../handling.js';
import { approveStep } from './approve-step.js';
import { cancelVersion } from './cancel-version.js';
import { createConfigFollower } from './config-follower.js';
import { readConfigHistory, readConfigSnapshots } from './config-history.js';
import { findConfigLogs } from './config-logs.js';
import { pauseConfig, resumeConfig } from './pause-config.js';
import { rollBackConfigs } from '../rollback/roll-back-configs.js';
import { requestVersion } from './request-version.js';
import { resumeTriggers } from './resume-triggers.js';
import { retryVersion } from './retry-version.js';

/** What commands can do for DeploymentConfigs. */
export const configHandling: Handling<DeploymentConfig> = {
  history: readConfigHistory,
  diff: readConfigSnapshots,
  pause: pauseConfig,
  resume: resumeConfig,
  cancel: cancelVersion,
  retry: retryVersion,
  approve: approveStep,
  trigger: requestVersion,
  logs: findConfigLogs,
  rollBack: rollBackConfigs,
  resumeTriggers,
  follow: ({ status }) => createConfigFollower(status?.latestVersion ?? 0),
  sign: (config) => changedTemplate(config),
};
