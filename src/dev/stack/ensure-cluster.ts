import { connectCluster, type Cluster } from '../../kubernetes/connect.js';
import { ensureRealNode, forgetRealNode } from '../node/ensure-real-node.js';
import { ensurePki } from '../pki/ensure-pki.js';
import { pkiFiles } from '../pki/pki-files.js';
import { writeKubeconfig } from '../pki/write-kubeconfig.js';
import {
  apiserverCommand,
  apiserverServiceAddress,
  controllerManagerCommand,
  etcdCommand,
  kwokCommand,
  schedulerCommand,
} from './commands.js';
import { ensureNodes } from './ensure-nodes.js';
import { ensurePart } from './ensure-part.js';
import type { Layout } from './layout.js';
import { loopback } from './ports.js';
import { probe } from './probe.js';
import type { Session } from './session.js';

export const localClusterName = 'local';

export type ClusterTool =
  'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler' | 'kwok' | 'kubelet';

/** A control plane with kwok's nodes; ready when pods can be created and run. */
export async function ensureCluster(
  session: Session,
  programs: Readonly<Record<ClusterTool, string>>,
): Promise<Cluster> {
  // Parts that run with other certificates than these are started anew.
  const build = await ensurePki(session.layout.pki, apiserverServiceAddress);
  const etcdPort = await ensureEtcd(session, programs.etcd, build);
  const cluster = await ensureApiserver(session, programs['kube-apiserver'], build, etcdPort);
  await Promise.all([
    ensureControllerManager(session, programs['kube-controller-manager'], build),
    ensureScheduler(session, programs['kube-scheduler'], build),
    ensureKwok(session, programs.kwok, build),
    ensureNodes(session, cluster),
    session.settings.realNode === true
      ? ensureRealNode(session, cluster, programs.kubelet, build)
      : forgetFormerRealNode(session, cluster),
  ]);
  return cluster;
}

async function forgetFormerRealNode({ state }: Session, cluster: Cluster): Promise<void> {
  if (state.nodeNetwork !== undefined) await forgetRealNode(cluster);
}

async function ensureEtcd(session: Session, program: string, build: string): Promise<number> {
  const { layout, settings } = session;
  const pki = pkiFiles(layout.pki);
  const ports = await ensurePart(session, {
    name: 'etcd',
    build,
    command: (chosen) => etcdCommand(program, layout, chosen, settings.unsafeNoFsync),
    readyWithinMs: 30_000,
    isReady: ({ client }) =>
      probe(`https://${loopback}:${client}/health`, {
        authority: pki.etcdAuthority,
        client: pki.etcdClient,
      }),
  });
  return ports.client;
}

async function ensureApiserver(
  session: Session,
  program: string,
  build: string,
  etcdPort: number,
): Promise<Cluster> {
  const { layout, settings } = session;
  const pki = pkiFiles(layout.pki);
  await ensurePart(session, {
    name: 'kube-apiserver',
    build,
    command: (chosen) =>
      apiserverCommand(program, layout, chosen, etcdPort, settings.realNode === true),
    prepare: ({ https }) => {
      writeKubeconfigs(layout, `https://${loopback}:${https}`);
    },
    readyWithinMs: 90_000,
    isReady: ({ https }) =>
      probe(`https://${loopback}:${https}/readyz`, {
        authority: pki.clusterAuthority,
        client: pki.admin,
      }),
  });
  return connectCluster({ kubeconfig: layout.kubeconfig });
}

async function ensureControllerManager(
  session: Session,
  program: string,
  build: string,
): Promise<void> {
  const { layout, settings } = session;
  await ensurePart(session, {
    name: 'kube-controller-manager',
    build,
    command: (chosen) => controllerManagerCommand(program, layout, chosen, settings.dropIn),
    readyWithinMs: 60_000,
    isReady: ({ https }) => probeControlPlane(layout, https),
  });
}

async function ensureScheduler(session: Session, program: string, build: string): Promise<void> {
  const { layout } = session;
  await ensurePart(session, {
    name: 'kube-scheduler',
    build,
    command: (chosen) => schedulerCommand(program, layout, chosen),
    readyWithinMs: 60_000,
    isReady: ({ https }) => probeControlPlane(layout, https),
  });
}

async function ensureKwok(session: Session, program: string, build: string): Promise<void> {
  const { layout } = session;
  await ensurePart(session, {
    name: 'kwok',
    build,
    command: (chosen) => kwokCommand(program, layout, chosen),
    readyWithinMs: 60_000,
    isReady: ({ http }) => probe(`http://${loopback}:${http}/healthz`),
  });
}

function probeControlPlane(layout: Layout, port: number): Promise<boolean> {
  return probe(`https://${loopback}:${port}/healthz`, {
    authority: pkiFiles(layout.pki).clusterAuthority,
  });
}

function writeKubeconfigs(layout: Layout, server: string): void {
  const pki = pkiFiles(layout.pki);
  const shared = { server, clusterName: localClusterName, authority: pki.clusterAuthority };
  writeKubeconfig(layout.kubeconfig, { ...shared, userName: 'admin', client: pki.admin });
  const clients = [pki.controllerManager, pki.scheduler, pki.kwok, pki.worker, pki.kubelet];
  for (const client of clients) {
    writeKubeconfig(client.kubeconfig, { ...shared, userName: 'client', client });
  }
}
