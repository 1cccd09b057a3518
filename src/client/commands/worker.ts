import { Command } from 'commander';

import { badInput } from '../failure.js';

/** `slipway worker`: runs workflows and activities, and watches the cluster when it is its turn. */
export function workerCommand(): Command {
  return new Command('worker')
    .description('run the worker: workflows, activities and the watch over the cluster')
    .option(
      '--kubeconfig <file>',
      'path of the kubeconfig (default: $KUBECONFIG, ~/.kube/config, or the pod’s ServiceAccount)',
    )
    .option('--context <name>', 'context of the kubeconfig to use')
    .option(
      '--cluster-name <name>',
      'how workflow ids name the cluster (default: as the kubeconfig does; $SLIPWAY_CLUSTER_NAME)',
    )
    .option(
      '--drop-in',
      'roll out Deployments of apps/v1 too: the built-in controller must be off ($SLIPWAY_DROP_IN)',
    )
    .option(
      '--http-address <host:port>',
      'serve the HTTP API, probes and metrics there ($SLIPWAY_HTTP_ADDRESS; default: off)',
    )
    .option(
      '--temporal <host:port>',
      "Temporal's address (default: the SDK's environment configuration)",
    )
    .option(
      '--log-level <level>',
      'trace, debug, info, warn or error ($SLIPWAY_LOG_LEVEL; default: info)',
    )
    .addHelpText(
      'after',
      `
Temporal's address, namespace, API key and TLS files come from the SDK's environment configuration:
TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS_CLIENT_CERT_PATH, … or a profile
in temporal.toml. Run as many workers as you like: one of them watches, and another takes over when
it ends.

Examples:
  slipway worker --kubeconfig ~/.kube/config --context staging
  TEMPORAL_ADDRESS=temporal.example.com:7233 slipway worker --http-address 0.0.0.0:8080`,
    )
    .action(async (flags: Record<string, unknown>) => {
      // Loaded here, because the other commands need none of it.
      const { readWorkerConfig, WorkerConfigError } = await import('../../worker/config.js');
      const { runWorker } = await import('../../worker/run-worker.js');
      try {
        await runWorker(readWorkerConfig(flags, process.env));
      } catch (error) {
        if (error instanceof WorkerConfigError) throw badInput(error.message, error);
        throw error;
      }
    });
}
