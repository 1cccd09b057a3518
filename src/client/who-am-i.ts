import { ApiError } from '../kubernetes/api-error.js';
import type { Cluster } from '../kubernetes/connect.js';
import type { KubernetesObject } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';

interface SelfSubjectReview extends KubernetesObject {
  status?: { userInfo?: { username?: string } };
}

/** Who the cluster says we are; where it doesn't tell, who the kubeconfig says. */
export async function whoAmI({
  client,
  user,
}: Pick<Cluster, 'user'> & { readonly client: Pick<Cluster['client'], 'create'> }): Promise<
  string | undefined
> {
  try {
    const question: SelfSubjectReview = { metadata: { name: '' } };
    const { status } = await client.create(resources.selfSubjectReviews, question);
    const name = status?.userInfo?.username ?? '';
    return name === '' ? user : name;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return user;
  }
}
