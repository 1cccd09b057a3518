/** What is known of the machine on which a real node is asked for. */
export interface HostSighting {
  readonly platform: string;
  readonly isRoot: boolean;
  /** Debian's packages whose programs were not found. */
  readonly missingPackages: readonly string[];
  readonly cgroupProblem?: string | undefined;
}

/** Programs of the distribution that a real node consists of, by the packages that have them. */
export const nodePrograms: Readonly<Record<string, readonly string[]>> = {
  containerd: ['containerd', 'ctr', 'containerd-shim-runc-v2'],
  runc: ['runc'],
  'busybox-static': ['busybox'],
  iptables: ['iptables'],
  iproute2: ['ip'],
  'util-linux': ['unshare', 'nsenter'],
  mount: ['mount'],
  'libc-bin': ['ldd'],
};

/** The network plugins, which are not on PATH. */
export const pluginPackage = 'containernetworking-plugins';
export const pluginFolders = ['/usr/lib/cni', '/opt/cni/bin', '/usr/libexec/cni'];
export const plugins = ['bridge', 'host-local', 'loopback'];

/** Why there can be no real node here, in one sentence; undefined when there can. */
export function judgeHost(seen: HostSighting): string | undefined {
  const { platform, isRoot, missingPackages, cgroupProblem } = seen;
  if (platform !== 'linux') {
    return `real-node: a real node runs on Linux only, and this is ${platform}`;
  }
  if (!isRoot) return 'real-node: a real node needs root, to run containers; try it with sudo';
  if (missingPackages.length > 0) {
    const names = missingPackages.join(' ');
    return `real-node: packages are missing; install them with "apt-get install --no-install-recommends ${names}"`;
  }
  if (cgroupProblem !== undefined) {
    return `real-node: pods can't be given cgroups on this machine: ${cgroupProblem}`;
  }
  return undefined;
}
