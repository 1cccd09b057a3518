import type { KubernetesClient } from '../../kubernetes/client.js';
import { resources } from '../../kubernetes/resources.js';
import { badInput } from '../failure.js';
import { groupOf } from '../kinds.js';

interface AccessStatus {
  readonly allowed?: boolean;
}

/**
 * Whether whoever asks may change all the configs that are to go back. The worker does it for them, with rights
 * of its own, so this is asked for them beforehand.
 */
export async function checkRights(
  client: Pick<KubernetesClient, 'review'>,
  namespace: string,
  names: readonly string[],
): Promise<void> {
  const { plural: resource, ...type } = resources.deploymentConfigs;
  const group = groupOf(type);
  const refusals = await Promise.all(
    names.map(async (name) => {
      const resourceAttributes = { verb: 'update', group, resource, namespace, name };
      const { allowed } = await client.review<AccessStatus>(resources.selfSubjectAccessReviews, {
        resourceAttributes,
      });
      return allowed === true ? [] : [`you may not update ${resource}.${group} "${name}"`];
    }),
  );
  const [first] = refusals.flat();
  if (first !== undefined) {
    throw badInput(`${first} in namespace "${namespace}"; nothing was changed`);
  }
}
