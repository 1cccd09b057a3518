import { describeDetails } from '../../../activities/deployment-config/generate.js';
import type { Cause } from '../../../domain/deployment-config/triggers.js';
import { buildRollback, makeManual } from '../../../domain/rollback/build-rollback.js';
import type { RollbackWarning } from '../../../domain/rollback/report.js';
import { defined } from '../../../domain/shared/optional.js';
import type { KubernetesClient } from '../../../kubernetes/client.js';
import {
  controllerName,
  decodeConfig,
} from '../../../kubernetes/deployment-configs/build-controller.js';
import type { ConfigKey } from '../../../kubernetes/deployment-configs/config-view.js';
import type {
  DeploymentConfig,
  ReplicationController,
} from '../../../kubernetes/deployment-configs/objects.js';
import { resources } from '../../../kubernetes/resources.js';
import { unlessMissing } from '../deployment-configs/generator.js';
import { HttpProblem } from '../problem.js';
import { examineOrRefuse } from './examine.js';
import { findChange } from './find-change.js';
import type { RollbackBody } from './read-rollback-body.js';

export interface GeneratedRollback {
  readonly config: DeploymentConfig;
  /** What may break. */
  readonly warnings: readonly RollbackWarning[];
}

/**
 * A config as it would be after going back, for the caller to PUT: as OpenShift answers, with all triggers on
 * images manual and the version raised by one. It is examined as with every other way to go back, and refused
 * where that is not possible. Nothing is saved.
 */
export async function generateRollback(
  client: KubernetesClient,
  key: ConfigKey,
  { release, releaseField, parts, annotations }: Extract<RollbackBody, { kind: 'generate' }>,
  by: string,
): Promise<GeneratedRollback> {
  const wish = { config: parts.strategy, application: parts.template, ...defined({ release }) };
  const examined = await examineOrRefuse(client, key, { wish, parts, releaseField });
  const { from, to, warnings } = examined;
  const { namespace, name } = key;
  const config = await client.get<DeploymentConfig>(resources.deploymentConfigs, namespace, name);
  const change = findChange(config, examined);
  if (change !== undefined) throw new HttpProblem(409, change);
  const snapshot = await readSnapshot(client, namespace, controllerName(name, to));
  const built = buildRollback(config, snapshot, parts);
  const triggers = makeManual(built.spec.triggers);
  const application = parts.template || parts.replicas;
  const cause: Cause = {
    type: 'Rollback',
    from,
    to,
    config: parts.triggers || parts.strategy,
    application,
    by,
  };
  return {
    config: {
      ...built,
      metadata: {
        ...built.metadata,
        annotations: { ...built.metadata.annotations, ...annotations },
      },
      spec: { ...built.spec, ...defined({ triggers }) },
      status: { ...config.status, latestVersion: from + 1, details: describeDetails([cause]) },
    },
    warnings,
  };
}

async function readSnapshot(
  client: KubernetesClient,
  namespace: string,
  name: string,
): Promise<DeploymentConfig> {
  const type = resources.replicationControllers;
  const found = await unlessMissing(client.get<ReplicationController>(type, namespace, name));
  const snapshot = found === undefined ? undefined : decodeConfig(found);
  if (snapshot !== undefined) return snapshot;
  throw new HttpProblem(409, `ReplicationController "${name}" is not there any more: try again`);
}
