import type { Pod } from '../../kubernetes/objects.js';

export interface PodState {
  /** What the pod is doing, in the one word that helps most. */
  readonly status: string;
  readonly readyContainers: number;
  readonly containers: number;
  readonly restarts: number;
  readonly isReady: boolean;
}

export function describePod(pod: Pod): PodState {
  const statuses = pod.status?.containerStatuses ?? [];
  return {
    status: describeStatus(pod),
    readyContainers: statuses.filter(({ ready }) => ready).length,
    containers: pod.spec?.containers.length ?? statuses.length,
    restarts: statuses.reduce((sum, { restartCount }) => sum + restartCount, 0),
    isReady:
      pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ??
      false,
  };
}

/** A container that can't start says more than the phase does, and a pod that goes says most. */
function describeStatus(pod: Pod): string {
  if (pod.metadata.deletionTimestamp !== undefined) return 'Terminating';
  const init = troubleOf(pod.status?.initContainerStatuses ?? []);
  if (init !== undefined) return `Init:${init}`;
  return (
    troubleOf(pod.status?.containerStatuses ?? []) ??
    pod.status?.reason ??
    pod.status?.phase ??
    'Unknown'
  );
}

type ContainerStatus = NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number];

function troubleOf(statuses: readonly ContainerStatus[]): string | undefined {
  for (const { state } of statuses) {
    if (state?.waiting?.reason !== undefined) return state.waiting.reason;
    const ended = state?.terminated;
    if (ended !== undefined && ended.exitCode !== 0) {
      return ended.reason ?? `ExitCode:${ended.exitCode}`;
    }
  }
  return undefined;
}
