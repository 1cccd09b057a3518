import type { HookMoment } from '../../domain/shared/hook.js';
import type { HookOwner } from '../hooks/hook-owner.js';
import { resources } from '../resources.js';
import { configAnnotations } from './annotations.js';
import { decodeConfig } from './build-controller.js';
import type { DeploymentConfig, ReplicationController } from './objects.js';

/** A version with its hooks, by its own snapshot of the config; undefined when that can't be read. */
export function hookOwnerOfVersion(
  controller: ReplicationController,
  config: DeploymentConfig | undefined,
  configName: string,
): HookOwner | undefined {
  const snapshot = decodeConfig(controller);
  if (snapshot === undefined) return undefined;
  return {
    type: resources.replicationControllers,
    object: controller,
    ...(config && { subject: { type: resources.deploymentConfigs, object: config } }),
    strategy: snapshot.spec.strategy ?? {},
    template: snapshot.spec.template,
    podAnnotations: { [configAnnotations.configName]: configName },
  };
}

/** A hook serves a version that is under way; one for its failure, a version that has failed. */
export function isVersionHookWanted(
  { version, moment }: { readonly version: number; readonly moment: HookMoment },
  config: DeploymentConfig | undefined,
  controller: ReplicationController | undefined,
): boolean {
  const written = controller?.metadata.annotations ?? {};
  const phase = written[configAnnotations.phase];
  if (config === undefined || config.metadata.deletionTimestamp !== undefined) return false;
  if (moment === 'abort') return phase === 'Failed';
  return (
    written[configAnnotations.cancelled] !== 'true' &&
    config.status?.latestVersion === version &&
    phase !== 'Failed' &&
    phase !== 'Complete'
  );
}
