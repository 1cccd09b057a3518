import { ApiError, isForbidden, isNotFound } from '../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import { selectorOf, templateOf } from '../../kubernetes/deployments/read-deployment.js';
import type { Deployment } from '../../kubernetes/objects.js';
import { resources } from '../../kubernetes/resources.js';
import { explainApiError, type Complaint } from '../explain-api-error.js';
import { suggestField } from '../suggest-field.js';
import { isNotServed } from '../watch-objects.js';
import { mustComeFirst, titleOf, type Manifest } from './parse-manifests.js';
import { writeManifest } from './write-manifest.js';

/**
 * Asks the cluster what it would say to each object, without changing anything. The answer is a sentence
 * for each mistake, so that a bad file is known before the first good one is applied.
 */
export async function checkManifests(
  client: KubernetesClient,
  manifests: readonly Manifest[],
): Promise<string[]> {
  const mistakes = await Promise.all(
    manifests.map((manifest) => checkManifest(client, manifest, manifests)),
  );
  return mistakes.flat();
}

async function checkManifest(
  client: KubernetesClient,
  manifest: Manifest,
  all: readonly Manifest[],
): Promise<string[]> {
  try {
    await writeManifest(client, manifest, { dryRun: true });
    if (manifest.type === resources.slipwayDeployments) await checkTemplate(client, manifest);
    return [];
  } catch (error) {
    // Credentials that are not accepted have nothing to do with this object.
    if (!(error instanceof ApiError) || error.code === 401) throw error;
    return explainRefusal(client, manifest, error, all);
  }
}

/**
 * The schema of our own kind can't say all that is wrong with a pod template, but the apiserver knows it
 * of the ReplicaSet that it would become. Who may not create those is told when it is rolled out.
 */
async function checkTemplate(client: KubernetesClient, { object }: Manifest): Promise<void> {
  const { namespace = '', name } = object.metadata;
  const deployment: Deployment = object;
  const spec = { replicas: 0, selector: selectorOf(deployment), template: templateOf(deployment) };
  const trial = { metadata: { name: `${name.slice(0, 200)}-dry-run`, namespace }, spec };
  try {
    await client.create(resources.replicaSets, trial, { dryRun: true });
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
}

/** Sentences about what the cluster has against an object. */
export async function explainRefusal(
  client: KubernetesClient,
  manifest: Manifest,
  error: ApiError,
  all: readonly Manifest[] = [],
): Promise<string[]> {
  const title = titleOf(manifest);
  const { type, object } = manifest;
  if (isNotServed(error)) {
    return [
      `${title}: apiVersion: this cluster doesn't know ${type.kind}s of ${type.apiVersion}; "slipway install" adds them`,
    ];
  }
  if (isNotFound(error) && error.message.startsWith('namespaces ')) {
    const namespace = object.metadata.namespace ?? '';
    const isComing = all.some(
      (one) => one.type.kind === 'Namespace' && one.object.metadata.name === namespace,
    );
    const hint = isComing ? `, and it ${mustComeFirst}` : '';
    return [`${title}: metadata.namespace: there is no namespace "${namespace}"${hint}`];
  }
  return Promise.all(
    explainApiError(error).map(
      async (complaint) => `${title}: ${await phrase(client, manifest, complaint)}`,
    ),
  );
}

async function phrase(
  client: KubernetesClient,
  { type }: Manifest,
  { field, problem, isUnknownField }: Complaint,
): Promise<string> {
  if (field === undefined) return problem;
  const guess = isUnknownField ? await suggestField(client, type, field) : undefined;
  return `${field}: ${problem}${guess === undefined ? '' : `; did you mean ${guess}?`}`;
}
