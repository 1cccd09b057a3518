import { randomBytes } from 'node:crypto';

import type { Cluster } from '../../src/kubernetes/connect.js';
import { resources } from '../../src/kubernetes/resources.js';

/** Runs a test in a namespace of its own, so that tests can share a cluster and run side by side. */
export async function withNamespace<T>(
  { client }: Cluster,
  action: (namespace: string) => Promise<T>,
): Promise<T> {
  const namespace = `test-${randomBytes(4).toString('hex')}`;
  await client.create(resources.namespaces, { metadata: { name: namespace } });
  try {
    return await action(namespace);
  } finally {
    // Kubernetes empties it in its own time; nobody else has that name.
    await client.delete(resources.namespaces, undefined, namespace);
  }
}
