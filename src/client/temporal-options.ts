import { Option, type Command } from 'commander';

import type { ClusterSession } from './cluster-session.js';
import type { TemporalOptions } from './connect-temporal.js';

/** Where a command finds Temporal, and what the worker calls the cluster there. */
export interface TemporalPlace {
  readonly clusterName?: string;
  readonly temporal?: string;
  readonly temporalNamespace?: string;
}

export function addTemporalOptions(command: Command): Command {
  return command
    .option('--temporal <address>', 'where Temporal listens; by default $TEMPORAL_ADDRESS')
    .option('--temporal-namespace <namespace>', 'its namespace; by default $TEMPORAL_NAMESPACE')
    .addOption(
      new Option(
        '--cluster-name <name>',
        'what the worker calls this cluster; by default its name in the kubeconfig',
      ).env('SLIPWAY_CLUSTER_NAME'),
    );
}

export const temporalOptionsOf = (
  { temporalAddress }: ClusterSession,
  { temporal, temporalNamespace }: TemporalPlace,
): TemporalOptions => ({
  address: temporal,
  namespace: temporalNamespace,
  defaultAddress: temporalAddress,
});
