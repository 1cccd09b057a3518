import type { ApplyRollbackRequest } from '../../contracts/rollback.js';
import { isCovered } from '../../domain/rollback/is-covered.js';
import { pickRelease } from '../../domain/rollback/pick-release.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import { configAnnotations } from '../../kubernetes/deployment-configs/annotations.js';
import type {
  DeploymentConfig,
  ReplicationController,
} from '../../kubernetes/deployment-configs/objects.js';
import { isAutomatic, readBlock } from '../../kubernetes/deployment-configs/read-block.js';
import { resources } from '../../kubernetes/resources.js';
import { readReleases } from '../../kubernetes/rollback/read-releases.js';

/**
 * Whether the block that stands in the config is met by this: the one that asked for it, one that wants no more than
 * that, or one that nobody asked for, now that somebody sees to it. It would lead to the same version once more; one
 * that names no version would even lead back, since the last one before is another then.
 */
export async function answersBlock(
  client: KubernetesClient,
  config: DeploymentConfig,
  { wish, to, fromBlock }: ApplyRollbackRequest,
): Promise<boolean> {
  const block = readBlock(config);
  if (fromBlock === true || block === undefined || isAutomatic(config)) return true;
  if (block.kind !== 'wish') return false;
  const release = block.wish.release ?? (await findUsual(client, config));
  return release !== undefined && isCovered({ ...block.wish, to: release }, { ...wish, to });
}

/** The version that is meant where none is named. */
async function findUsual(
  client: KubernetesClient,
  config: DeploymentConfig,
): Promise<number | undefined> {
  const { namespace, name } = config.metadata;
  const { items } = await client.list<ReplicationController>(
    resources.replicationControllers,
    namespace,
    { labelSelector: `${configAnnotations.configName}=${name}` },
  );
  const latestVersion = config.status?.latestVersion ?? 0;
  const releases = readReleases(config, items);
  const picked = pickRelease({ name, latestVersion, releases }, {});
  return picked.kind === 'picked' ? picked.version : undefined;
}
