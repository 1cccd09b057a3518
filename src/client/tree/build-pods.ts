import type { Pod } from '../../kubernetes/objects.js';
import { compareText } from './compare-text.js';
import { describePod } from './describe-pod.js';
import type { PodTree } from './tree.js';

/** Pods in the order of their names. */
export function buildPods(pods: readonly Pod[]): PodTree[] {
  return pods.toSorted((a, b) => compareText(a.metadata.name, b.metadata.name)).map(buildPod);
}

function buildPod(pod: Pod): PodTree {
  const { status, isReady, readyContainers, containers, restarts } = describePod(pod);
  return {
    name: pod.metadata.name,
    status,
    ready: isReady,
    readyContainers,
    containers,
    restarts,
    node: pod.spec?.nodeName ?? null,
    created: pod.metadata.creationTimestamp ?? null,
  };
}
