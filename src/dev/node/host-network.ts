import { writeFileSync } from 'node:fs';

import { CommandFailure } from '../../client/failure.js';
import { withFileLock } from '../file-lock.js';
import {
  bridgeHardwareAddress,
  bridgeName,
  chooseNetwork,
  networkOf,
  nodeAddress,
} from './node-network.js';
import { ensurePacketRules, removePacketRules } from './packet-rules.js';
import { runTool, toolSucceeds } from './run-tool.js';

/** Two stacks that start at once must not choose the same network. */
const lockPath = '/run/lock/slipway-network.lock';

export interface HostNetworkRequest {
  readonly id: string;
  /** The network of the last time, kept where it is free. */
  readonly earlier: string | undefined;
  readonly apiserverPort: number;
}

/** A bridge for the pods, with an address for the node, and their way to the apiserver. */
export async function ensureHostNetwork(request: HostNetworkRequest): Promise<string> {
  const { id, earlier, apiserverPort } = request;
  const network = await withFileLock(lockPath, {}, async () => {
    const present = await bridgeNetwork(id);
    return present ?? createBridge(id, earlier);
  });
  await ensurePacketRules(id, apiserverPort);
  return network;
}

export async function removeHostNetwork(id: string): Promise<void> {
  await removePacketRules(id);
  const bridge = bridgeName(id);
  if (!(await toolSucceeds('ip', ['link', 'show', 'dev', bridge]))) return;
  // The kernel takes its time over the ends that belonged to pods.
  for (const link of await listLinks(['master', bridge]))
    await toolSucceeds('ip', ['link', 'delete', link]);
  await runTool('ip', ['link', 'delete', bridge]);
}

async function createBridge(id: string, earlier: string | undefined): Promise<string> {
  const bridge = bridgeName(id);
  const routes = JSON.parse(await runTool('ip', ['-j', '-4', 'route', 'show'])) as {
    readonly dst: string;
  }[];
  const network = chooseNetwork(
    id,
    earlier,
    routes.map(({ dst }) => dst),
  );
  if (network === undefined) {
    throw new CommandFailure(
      'the real node found no free network between 10.97.0.0 and 10.97.63.0',
    );
  }
  // What is left of a start that was cut short has no address yet.
  await toolSucceeds('ip', ['link', 'delete', bridge]);
  const hardware = bridgeHardwareAddress(id);
  await runTool('ip', ['link', 'add', 'name', bridge, 'address', hardware, 'type', 'bridge']);
  await runTool('ip', ['link', 'set', bridge, 'up']);
  // Packets to the apiserver are sent on to loopback, where they would otherwise be taken for forged.
  writeFileSync(`/proc/sys/net/ipv4/conf/${bridge}/route_localnet`, '1');
  await runTool('ip', ['address', 'add', `${nodeAddress(network)}/24`, 'dev', bridge]);
  return network;
}

async function bridgeNetwork(id: string): Promise<string | undefined> {
  const bridge = bridgeName(id);
  if (!(await toolSucceeds('ip', ['link', 'show', 'dev', bridge]))) return undefined;
  const [link] = JSON.parse(
    await runTool('ip', ['-j', '-4', 'address', 'show', 'dev', bridge]),
  ) as readonly { readonly addr_info?: readonly { readonly local: string }[] }[];
  return networkOf(link?.addr_info?.[0]?.local ?? '');
}

async function listLinks(words: readonly string[]): Promise<readonly string[]> {
  const answer = await runTool('ip', ['-j', 'link', 'show', ...words]);
  const links = JSON.parse(answer === '' ? '[]' : answer) as readonly {
    readonly ifname?: string;
  }[];
  return links.flatMap(({ ifname }) => (ifname === undefined ? [] : [ifname]));
}
