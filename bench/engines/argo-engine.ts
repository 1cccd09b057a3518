import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { applyManifest } from '../../src/client/install/apply-manifest.js';
import { parseManifests } from '../../src/client/install/read-manifests.js';
import { waitForCrd } from '../../src/client/install/wait-for-crd.js';
import { layoutOf } from '../../src/dev/stack/layout.js';
import { loopback, pickFreePort } from '../../src/dev/stack/ports.js';
import { probe } from '../../src/dev/stack/probe.js';
import { argoRolloutsCrds } from '../../src/dev/toolchain/companions.js';
import type { KubernetesClient } from '../../src/kubernetes/client.js';
import { startServerProcess } from '../../test/support/server-process.js';
import type { Engine } from './engine.js';

/** Makes its kinds known to the cluster; they stay when the engine stops. */
export async function installArgoCrds(client: KubernetesClient, program: string): Promise<void> {
  const folder = argoRolloutsCrds(program);
  const manifests = readdirSync(folder)
    .filter((file) => file.endsWith('-crd.yaml'))
    .flatMap((file) => parseManifests(file, readFileSync(join(folder, file), 'utf8')));
  await Promise.all(
    manifests.map(async (manifest) => {
      await applyManifest(client, manifest);
      await waitForCrd(client, manifest.object.metadata.name);
    }),
  );
}

export function createArgoEngine(stateDir: string, program: string): Engine {
  const layout = layoutOf(stateDir);
  return {
    name: 'argo',
    workload: 'rollout',
    start: async (signal) => {
      const health = await pickFreePort();
      const metrics = await pickFreePort();
      return startServerProcess({
        name: 'Argo Rollouts',
        command: {
          program,
          arguments: [
            `--kubeconfig=${layout.kubeconfig}`,
            '--leader-elect=false',
            '--qps=1000',
            '--burst=2000',
            '--rollout-threads=20',
            '--loglevel=warn',
            `--healthzPort=${health}`,
            `--metricsPort=${metrics}`,
          ],
          environment: { HOME: layout.folder },
        },
        log: join(layout.logs, 'argo-rollouts.log'),
        isReady: () => probe(`http://${loopback}:${health}/healthz`),
        signal,
      });
    },
  };
}
