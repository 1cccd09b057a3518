import type { Pod } from '../../kubernetes/objects.js';
import { readRunOncePod } from '../../kubernetes/run-once-pods/read-run-once-pod.js';
import type { JobTree } from './tree.js';

/** A deployer or a hook: how far it is, and how it ended. */
export function describeJob(pod: Pod, version: string): JobTree {
  const { metadata } = pod;
  const { name, state, exitCode, reason, message } = readRunOncePod(pod);
  const why = [reason, message?.trim()].filter((text) => text !== undefined && text !== '');
  return {
    name,
    role: name.startsWith(`${version}-`) ? name.slice(version.length + 1) : name,
    phase: state,
    exitCode: exitCode ?? null,
    reason: state === 'Succeeded' || why.length === 0 ? null : why.join(': '),
    created: metadata.creationTimestamp ?? null,
  };
}
