import { proxyActivities, proxyLocalActivities, workflowInfo } from '@temporalio/workflow';

import type { Versions } from '../../contracts/advance.js';
import type { VersionRef } from '../../contracts/deployment-config.js';
import type { RollbackActivities, RollbackInput } from '../../contracts/rollback.js';
import { clusterOptions, hereOptions } from '../reach.js';
import type { RollbackStory } from './rollback-story.js';

/** A version that was asked for, and what must be seen before it is looked at. */
export interface Begun {
  readonly ref: VersionRef;
  readonly since: Versions;
}

export interface Run {
  readonly task: RollbackInput;
  readonly story: RollbackStory;
  /** Versions that are not over. */
  readonly underWay: Map<string, Begun>;
}

/** So often is looked again when somebody changes a config between the look and the write. */
export const mostLooks = 5;

/** By which its writes are told; a run that was reset is still the same. */
export const ownId = (): string => workflowInfo().firstExecutionRunId;

export const refOf = ({ cluster, namespace }: RollbackInput, name: string) => ({
  cluster,
  namespace,
  name,
});

export function activitiesFor(task: RollbackInput) {
  const ref = refOf(task, task.members[0]?.name ?? '');
  return {
    here: proxyLocalActivities<RollbackActivities>(hereOptions),
    atCluster: proxyActivities<RollbackActivities>(clusterOptions(ref)),
  };
}
