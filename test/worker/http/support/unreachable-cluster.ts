import { fileURLToPath } from 'node:url';

/** A kubeconfig of a cluster that nobody serves. */
export const unreachableKubeconfig = fileURLToPath(
  new URL('unreachable-cluster.json', import.meta.url),
);
