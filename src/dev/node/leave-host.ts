import { removeCgroups } from './cgroups.js';
import { removeHostNetwork } from './host-network.js';
import { nodeId } from './node-network.js';

/**
 * Removes what a real node has on this machine beside its processes and its mounts, which end with its
 * namespaces. Harmless when there is nothing.
 */
export async function leaveHost(stateFolder: string): Promise<void> {
  const id = nodeId(stateFolder);
  await removeHostNetwork(id);
  await removeCgroups(id);
}
