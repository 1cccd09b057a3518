import { Command } from 'commander';

import { withCluster } from '../cluster-session.js';

interface InstallFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly temporal?: string;
  readonly temporalNamespace?: string;
  readonly dropIn?: true;
}

export function installCommand(): Command {
  return new Command('install')
    .description('prepare a cluster and Temporal: CRDs, RBAC, search attributes')
    .option('--context <context>', 'the context of the kubeconfig to use')
    .option('--kubeconfig <file>', 'the kubeconfig to use')
    .option('--temporal <address>', 'where Temporal listens; by default $TEMPORAL_ADDRESS')
    .option(
      '--temporal-namespace <namespace>',
      'the namespace of Temporal; by default $TEMPORAL_NAMESPACE',
    )
    .option('--drop-in', 'let workers with --drop-in manage apps/v1 Deployments too')
    .action(runInstall);
}

async function runInstall(flags: InstallFlags): Promise<void> {
  const { kubeconfig, context, temporal, temporalNamespace, dropIn = false } = flags;
  const settings = {
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  };
  await withCluster(settings, async ({ cluster, temporalAddress }) => {
    // Loading the Temporal client takes a while, which help and completion can do without.
    const { connectTemporal } = await import('../connect-temporal.js');
    const { install } = await import('../install/install.js');
    const { connection, namespace } = await connectTemporal({
      address: temporal,
      defaultAddress: temporalAddress,
      namespace: temporalNamespace,
    });
    const report = (line: string): void => void process.stdout.write(`${line}\n`);
    try {
      await install({ cluster, connection, namespace, dropIn, report });
    } finally {
      await connection.close();
    }
  });
}
