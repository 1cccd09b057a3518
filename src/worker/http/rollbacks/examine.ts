import { examineInHaste } from '../../../activities/rollback/examine-rollback.js';
import type { RollbackParts } from '../../../domain/rollback/build-rollback.js';
import type { ConfigReport, RollbackReport } from '../../../domain/rollback/report.js';
import type { RollbackWish } from '../../../domain/rollback/wish.js';
import { assert } from '../../../domain/shared/assert.js';
import { defined } from '../../../domain/shared/optional.js';
import type { KubernetesClient } from '../../../kubernetes/client.js';
import type { ConfigKey } from '../../../kubernetes/deployment-configs/config-view.js';
import { resources } from '../../../kubernetes/resources.js';
import { refuse } from './read-rollback-body.js';

interface ExaminedBody {
  readonly wish: RollbackWish;
  readonly parts?: RollbackParts;
  /** Where the body says which version is meant. */
  readonly releaseField: string;
}

/** What going back would mean; whatever is wrong with it is part of that, but for a config that isn't there. */
export async function examine(
  client: KubernetesClient,
  { namespace, name }: ConfigKey,
  wish: RollbackWish,
  parts?: RollbackParts,
): Promise<RollbackReport> {
  await client.get(resources.deploymentConfigs, namespace, name);
  return examineInHaste(client, { namespace, members: [{ name, wish, ...defined({ parts }) }] });
}

/** Refuses what has any problem; those of the wish are named as the body names them. */
export async function examineOrRefuse(
  client: KubernetesClient,
  key: ConfigKey,
  { wish, parts, releaseField }: ExaminedBody,
): Promise<ConfigReport> {
  const { configs } = await examine(client, key, wish, parts);
  const problems = configs.flatMap((config) => config.problems);
  if (problems.length > 0) {
    throw refuse(
      problems.map(({ field, message }) => ({
        field: field === 'release' ? releaseField : field,
        message,
      })),
    );
  }
  const [examined] = configs;
  assert(examined !== undefined, 'what was asked for was examined');
  return examined;
}
