import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A kubeconfig of a cluster that nobody serves. */
export function writeKubeconfig(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'slipway-http-')), 'kubeconfig');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'none',
    clusters: [{ name: 'none', cluster: { server: 'https://127.0.0.1:9' } }],
    contexts: [{ name: 'none', context: { cluster: 'none', user: 'none', namespace: 'shop' } }],
    users: [{ name: 'none', user: {} }],
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}
