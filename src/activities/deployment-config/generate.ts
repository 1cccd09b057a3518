import {
  generateConfig,
  type Generated,
  type VersionRequest,
} from '../../domain/deployment-config/generate-config.js';
import { describeCauses, type Cause } from '../../domain/deployment-config/triggers.js';
import { decodeConfig } from '../../kubernetes/deployment-configs/build-controller.js';
import type {
  DeploymentConfig,
  DeploymentDetails,
  ReplicationController,
} from '../../kubernetes/deployment-configs/objects.js';
import { readTriggers, writeCause } from '../../kubernetes/deployment-configs/read-triggers.js';
import { areTriggersHeld } from '../../kubernetes/deployment-configs/suspension.js';
import type { PodTemplate } from '../../kubernetes/objects.js';

/** A config and what its next version depends on. */
export interface ConfigScene {
  readonly config: DeploymentConfig;
  /** The latest version, where there is one. */
  readonly latest: ReplicationController | undefined;
  /** The newest image of each source, by its `namespace/repository:tag`. */
  readonly images: ReadonlyMap<string, string>;
}

/** What the generator makes of a config as it stands. */
export function generate(
  { config, latest, images }: ConfigScene,
  request?: VersionRequest,
): Generated<PodTemplate> {
  const { namespace = '' } = config.metadata;
  const snapshot = latest === undefined ? undefined : decodeConfig(latest);
  return generateConfig({
    latestVersion: config.status?.latestVersion ?? 0,
    template: config.spec.template,
    triggers: readTriggers(config.spec, namespace),
    paused: config.spec.paused === true,
    suspended: areTriggersHeld(config),
    images,
    ...(snapshot === undefined
      ? {}
      : {
          deployed: {
            template: snapshot.spec.template,
            triggers: readTriggers(snapshot.spec, namespace),
          },
        }),
    ...(request === undefined ? {} : { request }),
  });
}

/** Causes as a config's status tells them. */
export const describeDetails = (causes: readonly Cause[]): DeploymentDetails => ({
  message: describeCauses(causes),
  causes: causes.map(writeCause),
});
