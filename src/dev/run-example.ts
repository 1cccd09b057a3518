import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { CommandFailure } from '../client/failure.js';
import { followDeployment } from '../client/follow.js';
import { isNotFound } from '../kubernetes/api-error.js';
import type { Cluster } from '../kubernetes/connect.js';
import type { Deployment } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { packageRoot } from './package-root.js';

export interface ExampleOptions {
  readonly cluster: Cluster;
  readonly write: (line: string) => void;
  readonly isTerminal: boolean;
  readonly signal: AbortSignal;
}

/** Real ones, because the cluster may be a real one. */
export const exampleImages = ['nginx:1.28-alpine', 'nginx:1.29-alpine'] as const;

/** Creates the example, unless it is there, and changes its image; each is followed to its end. */
export async function runExample(options: ExampleOptions): Promise<void> {
  const manifest = readExample(options.cluster.defaultNamespace);
  const current = await findExample(options.cluster, manifest);
  if (current === undefined) await rollOut(options, manifest, exampleImages[0]);
  await rollOut(options, manifest, chooseNextImage(current));
}

/** Always another one than that of now, so that there is something to see. */
export function chooseNextImage(current: Deployment | undefined): string {
  const image = current?.spec?.template.spec?.containers[0]?.image;
  return image === exampleImages[1] ? exampleImages[0] : exampleImages[1];
}

async function rollOut(
  { cluster, write, isTerminal, signal }: ExampleOptions,
  manifest: Deployment,
  image: string,
): Promise<void> {
  const { name, namespace = cluster.defaultNamespace } = manifest.metadata;
  write(`deployment/${name}: rolling out ${image}`);
  await cluster.client.apply(resources.slipwayDeployments, withImage(manifest, image));
  const api = 'slipway.dev/v1alpha1';
  const end = await followDeployment({
    ...{ cluster, namespace, name, api, write, isTerminal, signal },
  });
  if (end !== 'complete') {
    throw new CommandFailure(`deployment/${name}: the rollout of ${image} ended as ${end}`);
  }
}

/** Also goes on when the last visitor has left it paused. */
function withImage(manifest: Deployment, image: string): Deployment {
  const copy = structuredClone(manifest);
  const [container] = copy.spec?.template.spec?.containers ?? [];
  if (copy.spec === undefined || container === undefined) {
    throw new Error('examples/hello.yaml has no container');
  }
  copy.spec.paused = false;
  container.image = image;
  return copy;
}

function readExample(namespace: string): Deployment {
  const text = readFileSync(join(packageRoot, 'examples', 'hello.yaml'), 'utf8');
  const manifest = parse(text) as Deployment;
  return { ...manifest, metadata: { ...manifest.metadata, namespace } };
}

async function findExample(
  cluster: Cluster,
  { metadata }: Deployment,
): Promise<Deployment | undefined> {
  try {
    return await cluster.client.get<Deployment>(
      resources.slipwayDeployments,
      metadata.namespace,
      metadata.name,
    );
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
