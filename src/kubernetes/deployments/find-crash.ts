import type { Pod } from '../objects.js';

/** Which container of which pod can't stay up, in a sentence; the first one in the order of names. */
export function findCrash(pods: readonly Pod[]): string | undefined {
  return pods
    .map(describeCrash)
    .filter((crash) => crash !== undefined)
    .sort()[0];
}

/** A back-off is the kubelet's own word for it: it has tried more than once. */
function describeCrash({ metadata, status }: Pod): string | undefined {
  if (metadata.deletionTimestamp !== undefined) return undefined;
  const containers = [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
  ];
  const crashed = containers.find(({ state }) => state?.waiting?.reason === 'CrashLoopBackOff');
  if (crashed === undefined) return undefined;
  const { exitCode, reason } = crashed.lastState?.terminated ?? {};
  const how = exitCode === undefined ? '' : ` with exit code ${exitCode}`;
  const why = reason === undefined || reason === 'Error' ? '' : ` (${reason})`;
  return `container ${crashed.name} of pod ${metadata.name} keeps crashing${how}${why}, ${crashed.restartCount} restarts`;
}
