import type { Release } from '../../domain/rollback/pick-release.js';
import { decodeConfig } from '../deployment-configs/build-controller.js';
import type { DeploymentConfig, ReplicationController } from '../deployment-configs/objects.js';
import { readController } from '../deployment-configs/read-controller.js';

/** A version that is still there, with what it keeps. */
export interface KeptRelease extends Release {
  readonly controller: ReplicationController;
  /** The config as it was; absent where somebody has spoilt it. */
  readonly snapshot?: DeploymentConfig;
}

/** The versions of a config among some controllers, oldest first. */
export function readReleases(
  { metadata: { uid } }: DeploymentConfig,
  controllers: readonly ReplicationController[],
): readonly KeptRelease[] {
  return controllers
    .filter(({ metadata }) =>
      metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === uid),
    )
    .flatMap((controller): KeptRelease[] => {
      const seen = readController(controller);
      if (seen === undefined || seen.beingDeleted) return [];
      const snapshot = decodeConfig(controller);
      return [
        {
          version: seen.version,
          wasComplete: seen.phase === 'Complete',
          isReadable: snapshot !== undefined,
          controller,
          ...(snapshot === undefined ? {} : { snapshot }),
        },
      ];
    })
    .sort((a, b) => a.version - b.version);
}
