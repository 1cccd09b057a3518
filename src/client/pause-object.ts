import { annotations } from '../kubernetes/deployments/annotations.js';
import type { KubernetesObject } from '../kubernetes/objects.js';
import type { Subject, Wish } from './handling.js';

type Pausable = KubernetesObject & { readonly spec?: { readonly paused?: boolean | null } };

/** Writes `spec.paused`, which is the truth about it, and why. */
export async function pauseObject(
  { session, type, ref, object }: Subject<Pausable>,
  { reason }: Wish,
  onPaused: () => Promise<void> = () => Promise.resolve(),
): Promise<string> {
  const { spec, metadata } = object;
  const known = metadata.annotations?.[annotations.pauseReason];
  const isPaused = spec?.paused === true;
  if (isPaused && (reason === undefined || reason === known)) {
    return `${ref} is paused already${known === undefined || known === '' ? '' : `: ${known}`}`;
  }
  await session.cluster.client.patch(type, metadata.namespace, metadata.name, 'merge', {
    metadata: { annotations: { [annotations.pauseReason]: reason ?? null } },
    spec: { paused: true },
  });
  await onPaused();
  return isPaused ? `${ref} was paused already; the reason is new` : `${ref} paused`;
}
