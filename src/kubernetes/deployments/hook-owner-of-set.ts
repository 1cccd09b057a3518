import type { DeploymentApi } from '../../domain/deployment/observation.js';
import type { HookMoment } from '../../domain/shared/hook.js';
import type { HookOwner } from '../hooks/hook-owner.js';
import type { Deployment, ReplicaSet } from '../objects.js';
import { resources } from '../resources.js';
import { annotations } from './annotations.js';
import { isControlledBy } from './build-replica-set.js';
import { deploymentTypes } from './deployment-key.js';
import { withoutHash } from './same-template.js';
import { readSetHooks } from './set-hooks.js';

/** A set with its hooks, as they stood when its rollout began. */
export function hookOwnerOfSet(
  api: DeploymentApi,
  set: ReplicaSet,
  deployment: Deployment | undefined,
): HookOwner {
  const isOwn = deployment !== undefined && isControlledBy(set, deployment);
  return {
    type: resources.replicaSets,
    object: set,
    ...(isOwn && { subject: { type: deploymentTypes[api], object: deployment } }),
    strategy: readSetHooks(set),
    template: withoutHash(set.spec?.template ?? {}),
    podAnnotations: {},
  };
}

/** A hook serves the set of the current template; one for its failure, a set that was given up. */
export function isSetHookWanted(
  moment: HookMoment,
  { metadata }: Deployment,
  set: ReplicaSet,
  newSet: ReplicaSet | undefined,
): boolean {
  if (metadata.deletionTimestamp !== undefined || !isControlledBy(set, { metadata })) return false;
  if (moment === 'abort') return set.metadata.annotations?.[annotations.failed] !== undefined;
  const isCancelled = metadata.annotations?.[annotations.cancelled] !== undefined;
  return !isCancelled && newSet?.metadata.uid === set.metadata.uid;
}
