import { buildRollback, partsOf } from '../../domain/rollback/build-rollback.js';
import {
  controllerName,
  decodeConfig,
} from '../../kubernetes/deployment-configs/build-controller.js';
import type {
  DeploymentConfig,
  ReplicationController,
} from '../../kubernetes/deployment-configs/objects.js';

/**
 * What a version is made from: the config as it stands. A rollback's version may have to wait for the one before
 * to end, and somebody may apply another manifest meanwhile; what goes back is taken from where it goes back to.
 */
export function takeSource(
  config: DeploymentConfig,
  version: number,
  seen: (name: string) => ReplicationController | undefined,
): DeploymentConfig {
  const causes = config.status?.details?.causes ?? [];
  const notes = causes.find(({ rollback }) => rollback?.from === version - 1)?.rollback;
  // One that somebody has put together by hand, as clients of OpenShift do, is meant as it was sent.
  if (notes?.run === undefined) return config;
  const release = seen(controllerName(config.metadata.name, notes.to));
  const snapshot = release && decodeConfig(release);
  return snapshot === undefined ? config : buildRollback(config, snapshot, partsOf(notes));
}
