import { readPhase } from './read-controller.js';
import { configAnnotations } from './annotations.js';
import { controllerName } from './build-controller.js';
import type { DeploymentConfig, ReplicationController } from './objects.js';

/**
 * The version that was in force before another: the last complete one below it, since what failed or was refused
 * has never served. `none` where no version below it was complete, of those that are there.
 */
export function findServedBefore(
  { metadata: { name, uid } }: DeploymentConfig,
  version: number,
  seen: (controller: string) => ReplicationController | undefined,
): ReplicationController | 'none' {
  for (let number = version - 1; number > 0; number -= 1) {
    const found = seen(controllerName(name, number));
    const isOwn = found?.metadata.ownerReferences?.some((owner) => owner.uid === uid);
    const phase = readPhase(found?.metadata.annotations?.[configAnnotations.phase]);
    if (found !== undefined && isOwn === true && phase === 'Complete') return found;
  }
  return 'none';
}
