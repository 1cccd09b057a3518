import type { KubernetesClient } from '../../../kubernetes/client.js';
import { configAnnotations } from '../../../kubernetes/deployment-configs/annotations.js';
import type { ConfigKey } from '../../../kubernetes/deployment-configs/config-view.js';
import type { DeploymentConfig } from '../../../kubernetes/deployment-configs/objects.js';
import type { WrittenRequest } from '../../../kubernetes/deployment-configs/read-request.js';
import { resources } from '../../../kubernetes/resources.js';
import { HttpProblem } from '../problem.js';
import { asksForVersion, readConfigBody } from './check-config.js';
import { waitForVersion } from './wait-for-version.js';

export interface SavedConfig {
  readonly config: DeploymentConfig;
  /** The version that was asked for and that nobody has made yet. */
  readonly pendingVersion?: number;
}

const versionWithinMs = 10_000;

/**
 * Saves a config as it was sent. Where it asks for a new version, the wish is written together with the
 * spec, so that no crash can part them; whoever watches the cluster then makes the version, as always.
 */
export async function saveConfig(
  client: KubernetesClient,
  key: ConfigKey,
  body: unknown,
  by: string,
  signal: AbortSignal,
): Promise<SavedConfig> {
  const sent = readConfigBody(body, key);
  const current = await client.get<DeploymentConfig>(
    resources.deploymentConfigs,
    key.namespace,
    key.name,
  );
  if (sent.metadata.resourceVersion !== current.metadata.resourceVersion) {
    throw new HttpProblem(
      409,
      `DeploymentConfig "${key.name}" has changed since metadata.resourceVersion ${sent.metadata.resourceVersion ?? ''}: generate it anew`,
    );
  }
  const isAsked = asksForVersion(sent, current);
  const version = (current.status?.latestVersion ?? 0) + 1;
  const request: WrittenRequest = { version, by, keepsImages: true };
  // A wish in the body would be in somebody else's name: what stands there stays.
  const wish = isAsked
    ? JSON.stringify(request)
    : current.metadata.annotations?.[configAnnotations.request];
  const { [configAnnotations.request]: _sent, ...others } = sent.metadata.annotations ?? {};
  const annotations = {
    ...others,
    ...(wish === undefined ? {} : { [configAnnotations.request]: wish }),
  };
  const saved = await client.replace<DeploymentConfig>(
    resources.deploymentConfigs,
    { ...sent, metadata: { ...sent.metadata, namespace: key.namespace, annotations } },
    { strict: true },
  );
  if (!isAsked) return { config: saved };
  const made = await waitAtMost(versionWithinMs, signal, (within) =>
    waitForVersion(client, saved, version, within),
  );
  return made === undefined ? { config: saved, pendingVersion: version } : { config: made };
}

/** With a timer of its own: Node forgets an `AbortSignal.timeout` that only `AbortSignal.any` knows. */
export async function waitAtMost<T>(
  ms: number,
  signal: AbortSignal,
  wait: (within: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort();
  }, ms);
  try {
    return await wait(AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}
