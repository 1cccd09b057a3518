import type { Connection } from '@temporalio/client';

import { resources } from '../../kubernetes/resources.js';
import type { Cluster } from '../../kubernetes/connect.js';
import { applyManifest, type Applied } from './apply-manifest.js';
import { checkVersion } from './check-version.js';
import { checkSearchAttributes, installSearchAttributes } from './install-search-attributes.js';
import { readManifests } from './read-manifests.js';
import { waitForCrd } from './wait-for-crd.js';

export interface InstallOptions {
  readonly cluster: Cluster;
  readonly connection: Connection;
  /** The one of Temporal. */
  readonly namespace: string;
  /** Also the rights on apps/v1 Deployments, which a worker with --drop-in needs. */
  readonly dropIn?: boolean;
  /** Takes one line for each thing that was done, or was there already. */
  readonly report: (line: string) => void;
}

const words: Record<Applied, string> = {
  created: 'created',
  updated: 'updated',
  unchanged: 'there already',
};

/** Prepares a cluster and a Temporal namespace for workers; doing it again changes nothing. */
export async function install(options: InstallOptions): Promise<void> {
  const { cluster, report } = options;
  const { client } = cluster;
  await checkVersion(client);
  const plan = await checkSearchAttributes(options);
  const files = ['namespace.yaml', 'crds', 'rbac.yaml'];
  if (options.dropIn === true) files.push('drop-in.yaml');
  const manifests = files.flatMap((file) => readManifests(file));
  for (const manifest of manifests) {
    const applied = await applyManifest(client, manifest);
    const { name } = manifest.object.metadata;
    if (manifest.type === resources.customResourceDefinitions) await waitForCrd(client, name);
    report(`${manifest.type.kind} ${name}: ${words[applied]}`);
  }
  await installSearchAttributes(options, plan);
}
