import { copyFileSync, mkdirSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Cluster } from '../../kubernetes/connect.js';
import { isNotFound } from '../../kubernetes/api-error.js';
import type { KubernetesObject } from '../../kubernetes/objects.js';
import { resources } from '../../kubernetes/resources.js';
import { pkiFiles } from '../pki/pki-files.js';
import { packageRoot } from '../package-root.js';
import type { PartCommand } from '../stack/commands.js';
import { ensurePart } from '../stack/ensure-part.js';
import type { Layout } from '../stack/layout.js';
import { loopback } from '../stack/ports.js';
import { probe } from '../stack/probe.js';
import { runningPart } from '../stack/running-part.js';
import type { Session } from '../stack/session.js';
import { writeState } from '../stack/state.js';
import { ensureCgroups } from './cgroups.js';
import { ensureHostNetwork } from './host-network.js';
import { leaveHost } from './leave-host.js';
import {
  containerdConfig,
  kubeletConfig,
  networkConfig,
  realNodeLabel,
  realNodeTaint,
  type NodeConfigRequest,
} from './node-config.js';
import { inside, insideFolder, outside } from './node-folder.js';
import { nodeAddress, nodeId, realNodeName } from './node-network.js';
import { findPluginFolder, findProgram } from './observe-host.js';
import { systemPath } from './run-tool.js';
import { buildStandardImages } from './standard-images.js';

type Node = KubernetesObject & {
  spec?: { taints?: { key: string }[] };
  status?: { conditions?: { type: string; status: string; lastHeartbeatTime?: string }[] };
};

/** One node beside kwok's that really runs what its pods say. */
export async function ensureRealNode(
  session: Session,
  cluster: Cluster,
  kubelet: string,
  build: string,
): Promise<void> {
  const { layout, state } = session;
  const id = nodeId(layout.folder);
  const apiserverPort = state.ports['kube-apiserver']?.['https'] ?? 0;
  const network = await ensureHostNetwork({ id, earlier: state.nodeNetwork, apiserverPort });
  if (session.signal.aborted && runningPart(state, 'real-node') === undefined) {
    // Whoever gave up in the meantime may have cleared up before this was there.
    await leaveHost(layout.folder);
    session.signal.throwIfAborted();
  }
  state.nodeNetwork = network;
  writeState(layout, state);
  const startedMs = Date.now();
  await ensurePart(session, {
    name: 'real-node',
    // The kubelet's way to the apiserver is in a file, which it reads once.
    build: [build, network, apiserverPort].join(' '),
    command: () => nodeCommand(layout, kubelet, network),
    inherited: { PATH: systemPath(process.env['PATH']) },
    beforeStart: async () => {
      ensureCgroups(id);
      await writeImages(layout);
    },
    prepare: ({ health }) => {
      writeConfigs(layout, { ...nodeConfigRequest(layout, id, network), healthPort: health });
    },
    readyWithinMs: 90_000,
    isReady: async ({ health }, output) => {
      if (!(await probe(`http://${loopback}:${health}/healthz`))) return false;
      const node = await cluster.client.get<Node>(resources.nodes, undefined, realNodeName);
      return isReadySince(node, output === undefined ? 0 : startedMs);
    },
  });
}

/** A node that was here once and is no longer wanted would look as ready as it was. */
export async function forgetRealNode(cluster: Cluster): Promise<void> {
  try {
    await cluster.client.delete(resources.nodes, undefined, realNodeName);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** What an earlier run of the node has said doesn't count. Times in Kubernetes are whole seconds. */
export function isReadySince({ spec, status }: Node, sinceMs: number): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const saidMs = Date.parse(ready?.lastHeartbeatTime ?? '');
  const isFree = (spec?.taints ?? []).every(({ key }) => key === realNodeTaint.key);
  return ready?.status === 'True' && saidMs >= sinceMs - (sinceMs % 1_000) && isFree;
}

/** Processes and mounts are in namespaces that end with the first process in them. */
export function nodeCommand(layout: Layout, kubelet: string, network: string): PartCommand {
  return {
    program: 'unshare',
    arguments: [
      ...['--mount', '--propagation=slave', '--pid', '--fork', '--kill-child', '--mount-proc'],
      ...['/bin/sh', join(packageRoot, 'toolchain', 'node', 'start.sh'), layout.node, kubelet],
      `--config=${inside('kubeletConfig')}`,
      `--kubeconfig=${inside('kubeconfig')}`,
      `--root-dir=${insideFolder}`,
      `--hostname-override=${realNodeName}`,
      `--node-ip=${nodeAddress(network)}`,
      `--node-labels=${realNodeLabel.key}=${realNodeLabel.value}`,
      '--v=1',
    ],
    environment: { HOME: layout.folder },
  };
}

const overlayMagic = 0x79_4c_76_30;

function nodeConfigRequest(
  layout: Layout,
  id: string,
  network: string,
): Omit<NodeConfigRequest, 'healthPort'> {
  return {
    id,
    network,
    pluginFolder: findPluginFolder() ?? '',
    runc: findProgram('runc') ?? '',
    // One overlay can't lie on another.
    snapshotter: statfsSync(layout.folder).type === overlayMagic ? 'native' : 'overlayfs',
  };
}

function writeConfigs(layout: Layout, request: NodeConfigRequest): void {
  const { node: folder } = layout;
  const pki = pkiFiles(layout.pki);
  for (const name of ['networks', 'images', 'leases', 'logs'] as const)
    mkdirSync(outside(folder, name), { recursive: true });
  copyFileSync(pki.clusterAuthority, outside(folder, 'authority'));
  copyFileSync(pki.kubelet.certificate, outside(folder, 'certificate'));
  copyFileSync(pki.kubelet.key, outside(folder, 'key'));
  copyFileSync(pki.kubelet.kubeconfig, outside(folder, 'kubeconfig'));
  writeFileSync(outside(folder, 'kubeletConfig'), kubeletConfig(request));
  writeFileSync(outside(folder, 'containerdConfig'), containerdConfig(request));
  writeFileSync(join(outside(folder, 'networks'), 'slipway.conflist'), networkConfig(request));
  // Pods have no way to a name server.
  writeFileSync(outside(folder, 'resolver'), '');
}

async function writeImages({ node: folder }: Layout): Promise<void> {
  const busybox = findProgram('busybox') ?? '';
  const images = outside(folder, 'images');
  mkdirSync(images, { recursive: true });
  for (const [name, archive] of Object.entries(await buildStandardImages(busybox)))
    writeFileSync(join(images, name), archive);
}
