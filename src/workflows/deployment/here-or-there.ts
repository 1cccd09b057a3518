import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';

import type { AdvanceResult } from '../../contracts/advance.js';
import type {
  DeploymentActivities,
  DeploymentRef,
  DeploymentRequest,
  Manifest,
  SetPausedRequest,
  WriteResult,
} from '../../contracts/deployment.js';
import type { DeploymentPlan } from '../../domain/deployment/plan.js';
import {
  advanceHereOrThere,
  clusterOptions,
  hereOptions,
  watcherOptions,
  writeHereOrThere,
  type Reached,
} from '../reach.js';

/** What the workflow can do, wherever the worker is that can do it. */
export interface Reach {
  advance(
    request: Omit<DeploymentRequest, 'ref'>,
    summary: string,
  ): Promise<Reached<AdvanceResult<DeploymentPlan>>>;
  setPaused(request: Omit<SetPausedRequest, 'ref'>): Promise<Reached<WriteResult>>;
  apply(manifest: Manifest): Promise<Reached<WriteResult>>;
}

export function createReach(ref: DeploymentRef): Reach {
  const here = proxyLocalActivities<DeploymentActivities>(hereOptions);
  const atCluster = proxyActivities<DeploymentActivities>(clusterOptions(ref));
  const atWatcher = proxyActivities<DeploymentActivities>(watcherOptions(ref));
  return {
    advance: (request, summary) =>
      advanceHereOrThere(
        request,
        (asked) =>
          here.advanceDeployment.executeWithOptions({ ...hereOptions, summary }, [
            { ref, ...asked },
          ]),
        (asked) => atWatcher.advanceDeployment({ ref, ...asked }),
      ),
    setPaused: (request) =>
      writeHereOrThere(
        () => here.setPaused({ ref, ...request }),
        () => atCluster.setPaused({ ref, ...request }),
      ),
    apply: (manifest) =>
      writeHereOrThere(
        () => here.applyDeployment({ ref, manifest }),
        () => atCluster.applyDeployment({ ref, manifest }),
      ),
  };
}
