import { KubeConfig } from './kube-config.js';

import { KubernetesClient } from './client.js';
import { Transport } from './transport.js';

export interface ClusterSettings {
  /** Path of a kubeconfig; by default $KUBECONFIG, ~/.kube/config, or the pod's ServiceAccount. */
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  /** How workflow ids and search attributes name this cluster; by default as the kubeconfig does. */
  readonly clusterName?: string | undefined;
}

export interface Cluster {
  readonly name: string;
  /** The namespace of the kubeconfig's context, as kubectl understands it. */
  readonly defaultNamespace: string;
  readonly server: string;
  /** What the kubeconfig calls whose credentials they are. */
  readonly user?: string;
  readonly client: KubernetesClient;
}

/** The settings name no cluster that could be called. */
export class ClusterSettingsError extends Error {
  override readonly name = 'ClusterSettingsError';
}

/** The cluster that the official client makes up where there is no kubeconfig. */
export const standInServer = 'http://localhost:8080';

/** Reads the settings only: the first call tells whether the cluster can be reached. */
export function connectCluster(settings: ClusterSettings = {}): Cluster {
  const config = loadKubeConfig(settings);
  const context = config.getContextObject(config.getCurrentContext());
  const cluster = config.getCurrentCluster();
  if (context === null || cluster === null) {
    throw new ClusterSettingsError(`context: "${config.getCurrentContext()}" names no cluster`);
  }
  return {
    name: (settings.clusterName ?? cluster.name).replaceAll('/', '-'),
    defaultNamespace: context.namespace ?? 'default',
    server: cluster.server,
    ...(context.user === '' ? {} : { user: context.user }),
    client: new KubernetesClient(new Transport(config, cluster.server)),
  };
}

function loadKubeConfig({ kubeconfig, context }: ClusterSettings): KubeConfig {
  const config = new KubeConfig();
  try {
    if (kubeconfig === undefined) config.loadFromDefault();
    else config.loadFromFile(kubeconfig);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ClusterSettingsError(
      `kubeconfig: ${kubeconfig ?? 'the default one'} can't be read: ${why}`,
    );
  }
  if (context !== undefined) {
    if (config.getContextObject(context) === null) {
      if (config.getCurrentCluster()?.server === standInServer) {
        throw new ClusterSettingsError(`context: "${context}" is of no use without a kubeconfig`);
      }
      const known = config.getContexts().map(({ name }) => name);
      throw new ClusterSettingsError(
        `context: "${context}" is not in the kubeconfig, which has ${known.join(', ') || 'none'}`,
      );
    }
    config.setCurrentContext(context);
  }
  return config;
}
