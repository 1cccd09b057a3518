import { join } from 'node:path';

/** Inside the node's own mounts, its folder is here, whatever it is called outside. */
export const insideFolder = '/var/lib/kubelet';

/** The disk of the real node: the same files by their names outside and inside of its mounts. */
export const nodeFiles = {
  containerdConfig: 'containerd.toml',
  kubeletConfig: 'kubelet.yaml',
  kubeconfig: 'kubeconfig',
  authority: 'ca.crt',
  certificate: 'kubelet.crt',
  key: 'kubelet.key',
  resolver: 'resolv.conf',
  networks: 'net.d',
  images: 'images',
  leases: 'cni',
  logs: 'log',
} as const;

export type NodeFile = keyof typeof nodeFiles;

export const outside = (folder: string, file: NodeFile): string => join(folder, nodeFiles[file]);

export const inside = (file: NodeFile): string => join(insideFolder, nodeFiles[file]);
