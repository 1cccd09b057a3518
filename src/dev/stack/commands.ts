import { join } from 'node:path';

import { packageRoot } from '../package-root.js';
import type { Layout } from './layout.js';
import type { PortsOf } from './parts.js';
import { pkiFiles, type PkiFiles } from '../pki/pki-files.js';
import { loopback } from './ports.js';

/** How one part is started. */
export interface PartCommand {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Clients of the apiserver that are slower than this would be what one measures. */
const clientRate = { qps: 1_000, burst: 2_000 };

/**
 * kwok's nodes send no heartbeats: nothing is written while nothing happens, and a laptop that was
 * asleep finds its nodes as ready as they were.
 */
const nodeGracePeriod = '87600h';

/** Inside the cluster's own network; kwok gives pods addresses from the second. */
const serviceNetwork = '10.96.0.0/16';
const podNetwork = '10.128.0.0/9';
export const apiserverServiceAddress = '10.96.0.1';

export function temporalCommand(
  program: string,
  layout: Layout,
  ports: PortsOf<'temporal'>,
): PartCommand {
  return {
    program,
    arguments: [
      ...['server', 'start-dev', `--ip=${loopback}`],
      `--port=${ports.grpc}`,
      `--ui-port=${ports.ui}`,
      `--http-port=${ports.http}`,
      `--metrics-port=${ports.metrics}`,
      `--db-filename=${layout.temporalDatabase}`,
      '--log-level=warn',
      '--log-format=json',
      // An activity then starts in the worker that asked for it, without a turn through the server.
      '--dynamic-config-value=system.enableActivityEagerExecution=true',
      // A server of one shard looks at its queues 20 times a second by default: a turn of a workflow
      // then takes 50 ms, of which 25 are waiting.
      '--dynamic-config-value=history.transferProcessorMaxPollRPS=1000',
      '--dynamic-config-value=history.timerProcessorMaxPollRPS=1000',
      // Safe against a crash of the server; a power failure may cost the last moments, which Slipway
      // makes up for from what it sees in the cluster.
      '--sqlite-pragma=journal_mode=wal',
      '--sqlite-pragma=synchronous=1',
    ],
    environment: { HOME: layout.folder },
  };
}

export function etcdCommand(
  program: string,
  layout: Layout,
  ports: PortsOf<'etcd'>,
  unsafeNoFsync: boolean,
): PartCommand {
  const pki = pkiFiles(layout.pki);
  const client = `https://${loopback}:${ports.client}`;
  const peer = `https://${loopback}:${ports.peer}`;
  return {
    program,
    arguments: [
      '--name=local',
      `--data-dir=${layout.etcdData}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=local=${peer}`,
      '--client-cert-auth',
      `--trusted-ca-file=${pki.etcdAuthority}`,
      `--cert-file=${pki.etcd.certificate}`,
      `--key-file=${pki.etcd.key}`,
      '--peer-client-cert-auth',
      `--peer-trusted-ca-file=${pki.etcdAuthority}`,
      `--peer-cert-file=${pki.etcd.certificate}`,
      `--peer-key-file=${pki.etcd.key}`,
      '--auto-compaction-mode=periodic',
      '--auto-compaction-retention=1h',
      '--log-level=warn',
      ...(unsafeNoFsync ? ['--unsafe-no-fsync'] : []),
    ],
    environment: { HOME: layout.folder },
  };
}

export function apiserverCommand(
  program: string,
  layout: Layout,
  ports: PortsOf<'kube-apiserver'>,
  etcdPort: number,
  realNode = false,
): PartCommand {
  const pki = pkiFiles(layout.pki);
  return {
    program,
    arguments: [
      `--bind-address=${loopback}`,
      `--secure-port=${ports.https}`,
      `--tls-cert-file=${pki.apiserver.certificate}`,
      `--tls-private-key-file=${pki.apiserver.key}`,
      `--client-ca-file=${pki.clusterAuthority}`,
      '--anonymous-auth=false',
      '--authorization-mode=Node,RBAC',
      `--etcd-servers=https://${loopback}:${etcdPort}`,
      `--etcd-cafile=${pki.etcdAuthority}`,
      `--etcd-certfile=${pki.etcdClient.certificate}`,
      `--etcd-keyfile=${pki.etcdClient.key}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${pki.serviceAccount.publicKey}`,
      `--service-account-signing-key-file=${pki.serviceAccount.key}`,
      `--service-cluster-ip-range=${serviceNetwork}`,
      // A loopback address can't be the endpoint of the service "kubernetes".
      '--endpoint-reconciler-type=none',
      '--allow-privileged=true',
      '--profiling=false',
      ...(realNode ? realNodeFlags(pki) : []),
    ],
    environment: { HOME: layout.folder },
  };
}

export function controllerManagerCommand(
  program: string,
  layout: Layout,
  ports: PortsOf<'kube-controller-manager'>,
  dropIn: boolean,
): PartCommand {
  const pki = pkiFiles(layout.pki);
  return {
    program,
    arguments: [
      ...controlPlaneClientFlags(pki.controllerManager, ports.https),
      `--controllers=*${dropIn ? ',-deployment-controller' : ''}`,
      `--root-ca-file=${pki.clusterAuthority}`,
      `--service-account-private-key-file=${pki.serviceAccount.key}`,
      '--use-service-account-credentials=true',
      '--concurrent-replicaset-syncs=20',
      `--node-monitor-grace-period=${nodeGracePeriod}`,
    ],
    environment: { HOME: layout.folder },
  };
}

export function schedulerCommand(
  program: string,
  layout: Layout,
  ports: PortsOf<'kube-scheduler'>,
): PartCommand {
  return {
    program,
    arguments: controlPlaneClientFlags(pkiFiles(layout.pki).scheduler, ports.https),
    environment: { HOME: layout.folder },
  };
}

export function kwokCommand(program: string, layout: Layout, ports: PortsOf<'kwok'>): PartCommand {
  return {
    program,
    arguments: [
      `--kubeconfig=${pkiFiles(layout.pki).kwok.kubeconfig}`,
      `--config=${join(packageRoot, 'toolchain', 'kwok', 'stages.yaml')}`,
      `--manage-nodes-with-annotation-selector=${fakeNodeAnnotation}=fake`,
      `--cidr=${podNetwork}`,
      `--server-address=${loopback}:${ports.http}`,
      // Its informers log each pod at lower levels.
      '--v=WARN',
    ],
    environment: { HOME: layout.folder },
  };
}

/** Nodes without it belong to a real kubelet, and kwok leaves them alone. */
export const fakeNodeAnnotation = 'kwok.x-k8s.io/node';

/**
 * For logs, and for commands in containers: kwok's nodes have neither. And for namespaces whose pods all
 * run on the real node, because an annotation says so.
 */
const realNodeFlags = (pki: PkiFiles): readonly string[] => [
  `--kubelet-client-certificate=${pki.kubeletClient.certificate}`,
  `--kubelet-client-key=${pki.kubeletClient.key}`,
  `--kubelet-certificate-authority=${pki.clusterAuthority}`,
  '--kubelet-preferred-address-types=InternalIP',
  '--enable-admission-plugins=PodNodeSelector,PodTolerationRestriction',
];

/** One controller manager and one scheduler: neither has anyone to hold an election with. */
function controlPlaneClientFlags(
  identity: PkiFiles['controllerManager'],
  port: number,
): readonly string[] {
  return [
    `--kubeconfig=${identity.kubeconfig}`,
    `--authentication-kubeconfig=${identity.kubeconfig}`,
    `--authorization-kubeconfig=${identity.kubeconfig}`,
    `--bind-address=${loopback}`,
    `--secure-port=${port}`,
    `--tls-cert-file=${identity.certificate}`,
    `--tls-private-key-file=${identity.key}`,
    '--leader-elect=false',
    `--kube-api-qps=${clientRate.qps}`,
    `--kube-api-burst=${clientRate.burst}`,
    '--profiling=false',
  ];
}
