import { annotations } from '../../kubernetes/deployments/annotations.js';
import type { Deployment } from '../../kubernetes/objects.js';
import { badInput } from '../failure.js';
import type { Subject, Wish } from '../handling.js';
import { describeDeployment } from '../tree/describe-deployment.js';
import { whoAmI } from '../who-am-i.js';

/** Ends the rollout where it is. */
export async function cancelDeployment(
  { session, type, ref, object }: Subject<Deployment>,
  { reason = '' }: Wish,
): Promise<string> {
  const { phase } = describeDeployment(object);
  if (phase === 'Cancelled') return `${ref} is cancelled already`;
  if (phase === 'Complete' || phase === 'RolledBack') {
    throw badInput(`${ref}: there is nothing to cancel, because its rollout is complete`);
  }
  const { namespace, name } = object.metadata;
  const { cluster } = session;
  const by = await whoAmI(cluster);
  const notes = {
    [annotations.cancelled]: reason === '' ? 'cancelled' : reason,
    [annotations.cancelledBy]: by ?? null,
  };
  await cluster.client.patch(type, namespace, name, 'merge', {
    metadata: { annotations: notes },
    spec: { paused: true },
  });
  return `${ref} cancelled`;
}
