/**
 * Writes deploy/crds from the schemas that a real apiserver publishes:
 *   npm run generate:crds -- [KUBECONFIG]
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { connectCluster } from '../src/kubernetes/connect.js';
import { renderCrds } from './crds/render-crds.js';

const kubeconfig = process.argv[2];
const { client } = connectCluster({ kubeconfig });
for (const { file, text } of await renderCrds(client)) {
  const path = join('deploy', 'crds', file);
  writeFileSync(path, text);
  process.stdout.write(`${path}: ${text.length} bytes\n`);
}
await client.close();
