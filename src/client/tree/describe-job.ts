import { jobLabels } from '../../kubernetes/deployment-configs/annotations.js';
import type { Pod } from '../../kubernetes/objects.js';
import { describePod } from './describe-pod.js';
import type { JobTree } from './tree.js';

/** The version, by the name of its controller, for which a pod runs once; undefined for other pods. */
export function versionOfJob({ metadata }: Pod): string | undefined {
  return metadata.labels?.[jobLabels.deployerPodFor];
}

/** A deployer or a hook: how far it is, and how it ended. */
export function describeJob(pod: Pod, version: string): JobTree {
  const { metadata, status } = pod;
  const ended = status?.containerStatuses?.find(({ state }) => state?.terminated !== undefined)
    ?.state?.terminated;
  const phase = status?.phase ?? 'Unknown';
  const { status: word } = describePod(pod);
  return {
    name: metadata.name,
    role: metadata.name.startsWith(`${version}-`)
      ? metadata.name.slice(version.length + 1)
      : (metadata.labels?.[jobLabels.type] ?? 'job'),
    phase,
    exitCode: ended?.exitCode ?? null,
    reason: status?.message ?? ended?.message ?? (word === phase ? null : word),
    created: metadata.creationTimestamp ?? null,
  };
}
