import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';

import { createProgress } from '../../src/client/terminal/progress.js';
import type { ImageRequest } from '../../src/dev/node/image-archive.js';
import { makeImage } from '../../src/dev/node/make-image.js';
import { realNodeLabel, realNodeTaint } from '../../src/dev/node/node-config.js';
import { busyboxImage } from '../../src/dev/node/standard-images.js';
import { ensureToolchain } from '../../src/dev/toolchain/ensure-toolchain.js';
import type { Cluster } from '../../src/kubernetes/connect.js';
import type { Pod } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { ConfigTrial } from './config-trial.js';
import { sharedServers } from './deployment-trial.js';
import type { CommandResult } from './slipway-command.js';
import { waitFor } from './wait-for.js';

type PodSpec = NonNullable<Pod['spec']>;
type Container = PodSpec['containers'][number];

/** The stack with a real node that all tests of the project "node" share. */
export const nodeStack = (): { readonly stateDir: string; readonly kubeconfig: string } => ({
  stateDir: process.env['SLIPWAY_E2E_STATE_DIR'] ?? '',
  kubeconfig: process.env['SLIPWAY_E2E_KUBECONFIG'] ?? '',
});

/** The part of a pod's spec that brings it to the real node. */
export const onRealNode: Pick<PodSpec, 'nodeSelector' | 'tolerations'> = {
  nodeSelector: { [realNodeLabel.key]: realNodeLabel.value },
  tolerations: [{ ...realNodeTaint, operator: 'Equal' }],
};

/** The annotations of a namespace whose pods all run on the real node, whoever creates them. */
export const realNamespaceAnnotations = {
  'scheduler.alpha.kubernetes.io/node-selector': `${realNodeLabel.key}=${realNodeLabel.value}`,
  'scheduler.alpha.kubernetes.io/defaultTolerations': JSON.stringify(onRealNode.tolerations),
};

/** Runs a test in a namespace of its own whose pods all run on the real node. */
export async function withRealNamespace(
  { client }: Cluster,
  action: (namespace: string) => Promise<void>,
): Promise<void> {
  const name = `real-${randomBytes(4).toString('hex')}`;
  const metadata = { name, annotations: realNamespaceAnnotations };
  await client.create(resources.namespaces, { metadata });
  try {
    // Pods are refused until their account is there.
    await waitFor('the account of pods', () =>
      client.get(resources.serviceAccounts, name, 'default'),
    );
    await action(name);
  } finally {
    await client.delete(resources.namespaces, undefined, name);
  }
}

/** One namespace, of the same kind, in which a test plays with DeploymentConfigs. */
export async function openRealTrial(): Promise<ConfigTrial> {
  const trial = await ConfigTrial.open(sharedServers());
  const { client } = trial.cluster;
  const metadata = { annotations: realNamespaceAnnotations };
  await client.patch(resources.namespaces, undefined, trial.namespace, 'merge', { metadata });
  await waitFor('the account of pods', () =>
    client.get(resources.serviceAccounts, trial.namespace, 'default'),
  );
  return trial;
}

/** A pod of one container that runs a script of the shell, once, on the real node. */
export function scriptPod(
  name: string,
  script: string,
  spec: Partial<PodSpec> = {},
  container: Partial<Container> = {},
): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      ...onRealNode,
      restartPolicy: 'Never',
      containers: [
        { name: 'main', image: busyboxImage, command: ['/bin/sh', '-c', script], ...container },
      ],
      ...spec,
    },
  };
}

export function createPod({ client }: Cluster, namespace: string, pod: Pod): Promise<Pod> {
  const metadata = { ...pod.metadata, namespace };
  return client.create<Pod>(resources.pods, { ...pod, metadata });
}

export const getPod = ({ client }: Cluster, namespace: string, name: string): Promise<Pod> =>
  client.get<Pod>(resources.pods, namespace, name);

/** The pod once all of it has ended. */
export function podEnd(cluster: Cluster, namespace: string, name: string): Promise<Pod> {
  return waitFor(`pod ${name} ends`, async () => {
    const pod = await getPod(cluster, namespace, name);
    return ['Succeeded', 'Failed'].includes(pod.status?.phase ?? '') ? pod : undefined;
  });
}

export async function runPod(cluster: Cluster, namespace: string, pod: Pod): Promise<Pod> {
  await createPod(cluster, namespace, pod);
  return podEnd(cluster, namespace, pod.metadata.name);
}

/** How the pod's first container ended. */
export const endOf = (pod: Pod): { exitCode: number; reason?: string; message?: string } =>
  pod.status!.containerStatuses![0]!.state!.terminated!;

export async function findKubectl(): Promise<string> {
  const progress = createProgress(process.stderr);
  return (await ensureToolchain({ tools: ['kubectl'], progress })).kubectl;
}

/** Runs kubectl to its end; an exit code other than 0 is a result, not an error. */
export function runKubectl(program: string, words: readonly string[]): Promise<CommandResult> {
  const { kubeconfig, stateDir } = nodeStack();
  const env = { HOME: stateDir, PATH: process.env['PATH'] };
  const options = { env, timeout: 60_000 };
  return new Promise((resolve, reject) => {
    execFile(
      program,
      [`--kubeconfig=${kubeconfig}`, ...words],
      options,
      (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code;
        if (typeof code === 'number') resolve({ code, stdout, stderr });
        else reject(error ?? new Error('no exit code'));
      },
    );
  });
}

/** Makes an image and gives it to the real node of the shared stack. */
export const makeSharedImage = (request: ImageRequest): Promise<string> =>
  makeImage(nodeStack().stateDir, request);
