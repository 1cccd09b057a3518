import type { ConfigTree } from './tree.js';

/** Example: version 3, 6 of 10 updated, 8 available, 2 old left */
export function describeConfigCounts({
  latestVersion,
  replicas,
}: Pick<ConfigTree, 'latestVersion' | 'replicas'>): string {
  if (latestVersion === 0) return 'no version yet';
  const { desired, current, updated, available } = replicas;
  const old = Math.max(0, current - updated);
  return [
    `version ${latestVersion}`,
    `${updated} of ${desired} updated`,
    `${available} available`,
    ...(old === 0 ? [] : [`${old} old left`]),
  ].join(', ');
}
