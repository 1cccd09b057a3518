import { canonicalJson } from '../../../domain/shared/canonical-json.js';
import { defined } from '../../../domain/shared/optional.js';
import { KubernetesClient, type ListOptions } from '../../../kubernetes/client.js';
import type {
  DeploymentConfig,
  RollbackBlock,
} from '../../../kubernetes/deployment-configs/objects.js';
import type { KubernetesObject, ObjectList } from '../../../kubernetes/objects.js';
import { resources, type ResourceType } from '../../../kubernetes/resources.js';
import { HttpProblem, invalidField } from '../problem.js';
import { examineOrRefuse } from './examine.js';
import { hasBlock } from './plan-block.js';
import { readSentWish } from './read-rollback-body.js';

/**
 * The block of a config that is about to be saved, as it is to stand there: in the name of the caller, and for the
 * version that was examined. One that can't be met is refused, since it would be taken away again once the rest is
 * saved. Undefined where there is none, or none but that which stands there already.
 */
export async function examineSentBlock(
  client: KubernetesClient,
  sent: DeploymentConfig,
  current: DeploymentConfig,
  by: string,
): Promise<RollbackBlock | undefined> {
  const { rollback } = sent;
  if (rollback === undefined || rollback === null || isThereAlready(rollback, current)) {
    return undefined;
  }
  checkVersion(sent, current);
  const { namespace = '', name } = current.metadata;
  const wish = { ...readSentWish(name, rollback), by };
  const { to } = await examineOrRefuse(
    new ClusterOnceSaved(client, await trySave(client, sent, current)),
    { namespace, name },
    { wish, releaseField: 'rollback.release' },
  );
  return { ...wish, release: `${name}-${to}` };
}

/** What was read with the rest and is sent back with it is nobody's new wish. */
function isThereAlready(rollback: RollbackBlock, current: DeploymentConfig): boolean {
  if (!hasBlock(current)) return false;
  if (canonicalJson({ rollback }) === canonicalJson({ rollback: current.rollback })) return true;
  const { name } = current.metadata;
  throw new HttpProblem(409, `DeploymentConfig "${name}" is asked to go back already`);
}

function checkVersion(sent: DeploymentConfig, current: DeploymentConfig): void {
  const latest = current.status?.latestVersion ?? 0;
  if ((sent.status?.latestVersion ?? latest) === latest) return;
  const message = `must be ${latest}, as it is: the rollback makes the next version`;
  throw invalidField('status.latestVersion', message);
}

/** The config as it would stand there, by the judgement of the apiserver, which is as strict as with the write. */
async function trySave(
  client: KubernetesClient,
  { rollback: _block, ...sent }: DeploymentConfig,
  current: DeploymentConfig,
): Promise<DeploymentConfig> {
  const { namespace, resourceVersion, generation } = current.metadata;
  const tried = await client.replace<DeploymentConfig>(
    resources.deploymentConfigs,
    { ...sent, metadata: { ...sent.metadata, ...defined({ namespace }) } },
    { strict: true, dryRun: true },
  );
  const state = defined({ resourceVersion, generation });
  return { ...tried, metadata: { ...tried.metadata, ...state } };
}

/** The cluster as it would be with that config in it. */
class ClusterOnceSaved extends KubernetesClient {
  constructor(
    { transport }: KubernetesClient,
    private readonly saved: DeploymentConfig,
  ) {
    super(transport);
  }

  override async list<T extends KubernetesObject>(
    type: ResourceType,
    namespace?: string,
    options?: ListOptions,
  ): Promise<ObjectList<T>> {
    const found = await super.list<T>(type, namespace, options);
    if (type !== resources.deploymentConfigs) return found;
    const { name } = this.saved.metadata;
    const items = found.items.map((item) =>
      item.metadata.name === name ? (this.saved as KubernetesObject as T) : item,
    );
    return { ...found, items };
  }
}
