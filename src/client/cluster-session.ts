import type { Command } from 'commander';

import { UnreachableError } from '../kubernetes/api-error.js';
import type { Cluster } from '../kubernetes/connect.js';
import { badInput } from './failure.js';

/** Options with the meaning that kubectl gives them. */
export interface ClusterOptions {
  readonly namespace?: string;
  readonly context?: string;
  readonly kubeconfig?: string;
}

export interface ClusterSession {
  readonly cluster: Cluster;
  /** The one asked for, else the one of the kubeconfig's context. */
  readonly namespace: string;
  /** Where the local stack's Temporal listens, when that stack is the one in use. */
  readonly temporalAddress?: string;
  /** Where that stack keeps its state. */
  readonly stackFolder?: string;
}

export function addClusterOptions(command: Command): Command {
  return command
    .option('-n, --namespace <namespace>', 'the namespace; by default that of the context')
    .option('--context <context>', 'the context of the kubeconfig to use')
    .option(
      '--kubeconfig <file>',
      'the kubeconfig to use; by default $KUBECONFIG, else that of the local stack in ./.slipway when there is one, else ~/.kube/config',
    );
}

/** Opens the cluster that the options name, and closes its connections when the action ends. */
export async function withCluster<T>(
  options: ClusterOptions,
  action: (session: ClusterSession) => Promise<T>,
): Promise<T> {
  const session = await openCluster(options);
  try {
    return await action(session);
  } catch (error) {
    if (!(error instanceof UnreachableError) || session.stackFolder === undefined) throw error;
    throw badInput(
      `${error.message}; it belongs to the stack in ${session.stackFolder}: "slipway dev up" starts what is missing`,
      error,
    );
  } finally {
    await session.cluster.client.close();
  }
}

async function openCluster(options: ClusterOptions): Promise<ClusterSession> {
  const { context, kubeconfig, namespace } = options;
  const isChosen =
    kubeconfig !== undefined || context !== undefined || (process.env['KUBECONFIG'] ?? '') !== '';
  // Loading these takes half a second, which help and completion can do without.
  const [{ connectCluster, standInServer }, { findLocalStack }] = await Promise.all([
    import('../kubernetes/connect.js'),
    import('./local-stack.js'),
  ]);
  const stack = isChosen ? undefined : findLocalStack();
  const cluster = connectCluster({
    kubeconfig: kubeconfig ?? stack?.kubeconfig,
    context: context ?? stack?.context,
  });
  if (cluster.server === standInServer) {
    throw badInput(
      'kubeconfig: no cluster is configured; give --kubeconfig, set KUBECONFIG, or start a local one with "slipway dev up"',
    );
  }
  return {
    cluster,
    namespace: namespace ?? cluster.defaultNamespace,
    ...(stack?.temporalAddress === undefined ? {} : { temporalAddress: stack.temporalAddress }),
    ...(stack === undefined ? {} : { stackFolder: stack.folder }),
  };
}
