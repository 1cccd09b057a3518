import { stringify } from 'yaml';

import { loopback } from '../stack/ports.js';
import { cgroupRoot } from './cgroups.js';
import { inside, insideFolder } from './node-folder.js';
import { bridgeName, nodeAddress } from './node-network.js';
import { pauseImage } from './standard-images.js';

export const realNodeLabel = { key: 'slipway.dev/node', value: 'real' } as const;
/** Nothing runs on the real node that doesn't ask for it. */
export const realNodeTaint = {
  key: 'slipway.dev/real',
  value: 'true',
  effect: 'NoSchedule',
} as const;

export const runtimeSocket = '/run/containerd/containerd.sock';

export interface NodeConfigRequest {
  readonly id: string;
  readonly network: string;
  readonly healthPort: number;
  readonly pluginFolder: string;
  readonly runc: string;
  /** The one that works on the file system of the state. */
  readonly snapshotter: 'overlayfs' | 'native';
}

export function kubeletConfig({ id, network, healthPort }: NodeConfigRequest): string {
  return stringify({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    // On the bridge, where the host and the pods of this node are, and nobody else.
    address: nodeAddress(network),
    readOnlyPort: 0,
    healthzBindAddress: loopback,
    healthzPort: healthPort,
    tlsCertFile: inside('certificate'),
    tlsPrivateKeyFile: inside('key'),
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: false },
      x509: { clientCAFile: inside('authority') },
    },
    authorization: { mode: 'Webhook' },
    registerWithTaints: [realNodeTaint],
    containerRuntimeEndpoint: `unix://${runtimeSocket}`,
    volumePluginDir: `${insideFolder}/volume-plugins`,
    resolvConf: inside('resolver'),
    cgroupRoot: cgroupRoot(id),
    cgroupDriver: 'cgroupfs',
    failCgroupV1: false,
    failSwapOn: false,
    enforceNodeAllocatable: [],
    // A machine that is used for other things as well may be full: pods run, and images stay.
    evictionHard: {},
    imageGCHighThresholdPercent: 100,
    // Chains in the machine's own tables, which nobody would remove.
    makeIPTablesUtilChains: false,
    // How soon it says that it is ready; it writes only what has changed.
    nodeStatusUpdateFrequency: '1s',
    nodeStatusReportFrequency: '5m',
    kubeAPIQPS: 1_000,
    kubeAPIBurst: 2_000,
    eventRecordQPS: 0,
  });
}

export function containerdConfig(request: NodeConfigRequest): string {
  const cri = 'plugins."io.containerd.grpc.v1.cri"';
  return [
    'version = 2',
    `root = "${insideFolder}/containerd"`,
    'state = "/run/containerd"',
    'disabled_plugins = ["io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.zfs", "io.containerd.tracing.processor.v1.otlp"]',
    '[grpc]',
    `address = "${runtimeSocket}"`,
    '[debug]',
    'level = "warn"',
    '[plugins."io.containerd.internal.v1.opt"]',
    `path = "${insideFolder}/opt"`,
    `[${cri}]`,
    `sandbox_image = "${pauseImage}"`,
    // Whoever runs this may be kept from asking for less than it has itself.
    'restrict_oom_score_adj = true',
    // A profile would be loaded into the machine's kernel, and stay there.
    'disable_apparmor = true',
    `[${cri}.cni]`,
    `bin_dir = "${request.pluginFolder}"`,
    `conf_dir = "${inside('networks')}"`,
    'max_conf_num = 1',
    `[${cri}.containerd]`,
    `snapshotter = "${request.snapshotter}"`,
    'default_runtime_name = "runc"',
    `[${cri}.containerd.runtimes.runc]`,
    'runtime_type = "io.containerd.runc.v2"',
    `[${cri}.containerd.runtimes.runc.options]`,
    `BinaryName = "${request.runc}"`,
    'SystemdCgroup = false',
    '',
  ].join('\n');
}

/** The bridge is there already: it is not a gateway, because that would make the machine a router. */
export function networkConfig({ id, network }: NodeConfigRequest): string {
  const gateway = nodeAddress(network);
  const bridge = {
    type: 'bridge',
    bridge: bridgeName(id),
    isGateway: false,
    ipMasq: false,
    hairpinMode: true,
    ipam: {
      type: 'host-local',
      dataDir: `${inside('leases')}/networks`,
      ranges: [[{ subnet: network, gateway }]],
      routes: [{ dst: '0.0.0.0/0', gw: gateway }],
    },
  };
  const list = { cniVersion: '0.4.0', name: 'slipway', plugins: [bridge] };
  return `${JSON.stringify(list, undefined, 2)}\n`;
}
