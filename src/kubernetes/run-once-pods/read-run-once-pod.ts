import { defined } from '../../domain/shared/optional.js';
import type { RunOncePod } from '../../domain/shared/run-once-pod.js';
import type { KubernetesObject, Pod } from '../objects.js';
import { readTime } from '../read-time.js';
import { isHeld } from './hold.js';

type ContainerStatus = NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number];

/** What decisions need of a pod that runs once, for that owner where it matters whose it is. */
export function readRunOncePod(pod: Pod, owner?: PodOwner): RunOncePod {
  const { metadata, status } = pod;
  const isBeingDeleted = metadata.deletionTimestamp !== undefined;
  const [container] = status?.containerStatuses ?? [];
  const ended = container?.state?.terminated;
  const endedAtMs = readTime(ended?.finishedAt);
  const state = isCutShort(pod, endedAtMs) ? 'Failed' : readState(status?.phase);
  return {
    name: metadata.name,
    uid: metadata.uid ?? '',
    isOwn: metadata.ownerReferences?.some(({ uid }) => uid === owner?.uid) === true,
    ...(owner !== undefined && isLeftover(pod, owner) ? { isLeftover: true } : {}),
    state,
    createdAtMs: Date.parse(metadata.creationTimestamp ?? ''),
    isBeingDeleted,
    // Its node takes away the grace once nothing of it runs, as does whoever deletes it by force.
    hasEnded:
      state === 'Succeeded' ||
      state === 'Failed' ||
      (isBeingDeleted && metadata.deletionGracePeriodSeconds === 0),
    isHeld: isHeld(pod),
    ...defined({
      startedAtMs: readTime(status?.startTime),
      endedAtMs,
      exitCode: ended?.exitCode,
      ...explain(pod, container),
    }),
  };
}

/** What a pod that runs once belongs to. */
export interface PodOwner {
  readonly name: string;
  readonly uid?: string;
}

/** There are never two of one name, so what belongs to another of that name belongs to one that is gone. */
export const isLeftover = ({ metadata }: KubernetesObject, owner: PodOwner): boolean =>
  metadata.ownerReferences?.some(({ name, uid }) => name === owner.name && uid !== owner.uid) ===
  true;

/**
 * What is told to end may end well and has yet not done what it was to do. Times are whole seconds: one that
 * ended in the second in which it was deleted most likely ended of that.
 */
function isCutShort({ metadata }: Pod, endedAtMs: number | undefined): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  const goneByMs = readTime(deletionTimestamp);
  if (goneByMs === undefined || endedAtMs === undefined) return false;
  return endedAtMs >= goneByMs - deletionGracePeriodSeconds * 1_000;
}

function readState(phase: string | undefined): RunOncePod['state'] {
  return phase === 'Running' || phase === 'Succeeded' || phase === 'Failed' ? phase : 'Pending';
}

/** The pod's own word first (such as that its time was up), then its container's, then the scheduler's. */
function explain(
  { status }: Pod,
  container: ContainerStatus | undefined,
): { readonly reason?: string | undefined; readonly message?: string | undefined } {
  const { terminated, waiting } = container?.state ?? {};
  const unscheduled = status?.conditions?.find(
    ({ type, status: holds }) => type === 'PodScheduled' && holds === 'False',
  );
  return {
    reason: status?.reason ?? terminated?.reason ?? waiting?.reason ?? unscheduled?.reason,
    message: terminated?.message ?? status?.message ?? waiting?.message ?? unscheduled?.message,
  };
}
