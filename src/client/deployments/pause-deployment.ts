import { annotations } from '../../kubernetes/deployments/annotations.js';
import type { Deployment } from '../../kubernetes/objects.js';
import type { Subject, Wish } from '../handling.js';
import { pauseObject } from '../pause-object.js';
import { recordEvent } from '../record-event.js';

export function pauseDeployment(subject: Subject<Deployment>, wish: Wish): Promise<string> {
  return pauseObject(subject, wish);
}

/** Also takes up a rollout that was cancelled. */
export async function resumeDeployment(
  { session, type, ref, object }: Subject<Deployment>,
  { reason }: Wish,
): Promise<string> {
  if (object.spec?.paused !== true) return `${ref} is not paused`;
  const { client } = session.cluster;
  const { namespace, name } = object.metadata;
  await client.patch(type, namespace, name, 'merge', {
    metadata: {
      annotations: {
        [annotations.pauseReason]: null,
        [annotations.cancelled]: null,
        [annotations.cancelledBy]: null,
      },
    },
    spec: { paused: null },
  });
  if (reason !== undefined) await recordEvent(client, object, 'Resumed', reason);
  return `${ref} resumed`;
}
