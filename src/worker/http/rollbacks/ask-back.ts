import { refusedType } from '../../../domain/deployment-config/mark-refused.js';
import type { ConfigReport } from '../../../domain/rollback/report.js';
import type { RollbackWish } from '../../../domain/rollback/wish.js';
import { isConflict } from '../../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../../kubernetes/client.js';
import type { ConfigKey } from '../../../kubernetes/deployment-configs/config-view.js';
import type { DeploymentConfig } from '../../../kubernetes/deployment-configs/objects.js';
import { resources } from '../../../kubernetes/resources.js';
import { waitAtMost } from '../deployment-configs/save-config.js';
import { waitForVersion } from '../deployment-configs/wait-for-version.js';
import { HttpProblem } from '../problem.js';
import { examineOrRefuse } from './examine.js';
import { hasBlock, planBlock } from './plan-block.js';
import { refuse } from './read-rollback-body.js';

/** A status update between reading and writing makes the write fail; this many are outlived. */
const tries = 20;
const versionWithinMs = 10_000;

export interface Asked {
  readonly config: DeploymentConfig;
  /** The version that will be made, and that is not there yet. */
  readonly pendingVersion?: number;
}

/**
 * Writes the wish to go back into the config, if it can be met: whoever watches the cluster then does so, as
 * with any such wish, so that no crash loses it.
 */
export async function askBack(
  client: KubernetesClient,
  key: ConfigKey,
  wish: RollbackWish,
  signal: AbortSignal,
): Promise<Asked> {
  const examined = await examineOrRefuse(client, key, { wish, releaseField: 'rollback.release' });
  const saved = await writeBlock(client, key, wish, examined);
  const version = (saved.status?.latestVersion ?? 0) + 1;
  const made = await waitAtMost(versionWithinMs, signal, (within) =>
    waitForVersion(client, saved, version, within),
  );
  if (made !== undefined) return { config: made };
  const { namespace, name } = key;
  const config = await client.get<DeploymentConfig>(resources.deploymentConfigs, namespace, name);
  const refusal = config.status?.conditions?.find(({ type }) => type === refusedType);
  // What could be done when it was asked for may be impossible by now.
  if (!hasBlock(config) && refusal !== undefined) {
    throw refuse([{ field: 'rollback', message: refusal.message ?? 'is not possible' }]);
  }
  return { config, pendingVersion: version };
}

async function writeBlock(
  client: KubernetesClient,
  { namespace, name }: ConfigKey,
  wish: RollbackWish,
  examined: ConfigReport,
): Promise<DeploymentConfig> {
  const type = resources.deploymentConfigs;
  for (let count = 1; ; count += 1) {
    const config = await client.get<DeploymentConfig>(type, namespace, name);
    const plan = planBlock(config, wish, examined);
    if (plan.kind === 'conflict') throw new HttpProblem(409, plan.why);
    try {
      return await client.patch<DeploymentConfig>(type, namespace, name, 'merge', plan.patch);
    } catch (error) {
      if (!isConflict(error) || count >= tries) throw error;
    }
  }
}
