import { defined } from '../../domain/shared/optional.js';
import type { RunOncePod } from '../../domain/shared/run-once-pod.js';
import type { Pod } from '../objects.js';
import { readTime } from '../read-time.js';
import { isHeld } from './hold.js';

type ContainerStatus = NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number];

/** What decisions need of a pod that runs once, for the owner of that uid. */
export function readRunOncePod(pod: Pod, ownerUid: string): RunOncePod {
  const { metadata, status } = pod;
  const state = readState(status?.phase);
  const isBeingDeleted = metadata.deletionTimestamp !== undefined;
  const [container] = status?.containerStatuses ?? [];
  const ended = container?.state?.terminated;
  return {
    name: metadata.name,
    uid: metadata.uid ?? '',
    isOwn: metadata.ownerReferences?.some(({ uid }) => uid === ownerUid) === true,
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
      endedAtMs: readTime(ended?.finishedAt),
      exitCode: ended?.exitCode,
      ...explain(pod, container),
    }),
  };
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
