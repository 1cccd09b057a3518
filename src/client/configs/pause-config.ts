import { annotations } from '../../kubernetes/deployments/annotations.js';
import type { DeploymentConfig } from '../../kubernetes/deployment-configs/objects.js';
import { describeWish } from '../describe-wish.js';
import type { Subject, Wish } from '../handling.js';
import { pauseObject } from '../pause-object.js';
import { recordEvent } from '../record-event.js';
import { whoAmI } from '../who-am-i.js';

export function pauseConfig(subject: Subject<DeploymentConfig>, wish: Wish): Promise<string> {
  return pauseObject(subject, wish, () => note(subject, 'Paused', wish));
}

export async function resumeConfig(
  subject: Subject<DeploymentConfig>,
  wish: Wish,
): Promise<string> {
  const { session, type, ref, object } = subject;
  if (object.spec.paused !== true) return `${ref} is not paused`;
  const { namespace, name } = object.metadata;
  await session.cluster.client.patch(type, namespace, name, 'merge', {
    metadata: { annotations: { [annotations.pauseReason]: null } },
    spec: { paused: null },
  });
  await note(subject, 'Resumed', wish);
  return `${ref} resumed`;
}

/** Who did it is kept as an event of the object. */
async function note(
  { session: { cluster }, object }: Subject<DeploymentConfig>,
  what: 'Paused' | 'Resumed',
  { reason }: Wish,
): Promise<void> {
  const by = await whoAmI(cluster);
  await recordEvent(cluster.client, object, what, describeWish(what, { by, reason }));
}
