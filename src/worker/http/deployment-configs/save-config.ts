import { ourselves } from '../../../domain/shared/author.js';
import { isSameChange, writeChangeNote } from '../../../kubernetes/change-note.js';
import { pickRelease } from '../../../domain/rollback/pick-release.js';
import { defined } from '../../../domain/shared/optional.js';
import type { KubernetesClient } from '../../../kubernetes/client.js';
import { configAnnotations } from '../../../kubernetes/deployment-configs/annotations.js';
import { changedTemplate } from '../../../kubernetes/deployment-configs/config-change.js';
import type { ConfigKey } from '../../../kubernetes/deployment-configs/config-view.js';
import type {
  DeploymentConfig,
  ReplicationController,
} from '../../../kubernetes/deployment-configs/objects.js';
import {
  findPendingRollback,
  type WrittenRequest,
} from '../../../kubernetes/deployment-configs/read-request.js';
import { resources } from '../../../kubernetes/resources.js';
import { readReleases } from '../../../kubernetes/rollback/read-releases.js';
import { HttpProblem, invalidField } from '../problem.js';
import { examineSentBlock } from '../rollbacks/examine-sent-block.js';
import { asksForVersion, readConfigBody } from './check-config.js';
import { findSentRollback, type SentRollback } from './find-sent-rollback.js';
import { waitForVersion } from './wait-for-version.js';

export interface SavedConfig {
  readonly config: DeploymentConfig;
  /** The version that was asked for and that nobody has made yet. */
  readonly pendingVersion?: number;
}

const versionWithinMs = 10_000;

/**
 * Saves a config as it was sent. Where it asks for a new version, or to go back, the wish is written together with
 * the spec, so that no crash can part them; whoever watches the cluster then makes the version, as always.
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
  const block = await examineSentBlock(client, sent, current, by);
  const isAsked = asksForVersion(sent, current);
  const pending = isAsked ? findPendingRollback(current) : undefined;
  if (pending !== undefined) {
    throw new HttpProblem(
      409,
      `DeploymentConfig "${key.name}" is on its way back to version ${pending.to}: generate it anew once that version is made`,
    );
  }
  const version = (current.status?.latestVersion ?? 0) + 1;
  const rollback = isAsked ? findSentRollback(sent, version - 1) : undefined;
  if (rollback !== undefined) await checkRollback(client, current, rollback);
  const request: WrittenRequest = {
    version,
    by,
    keepsImages: true,
    ...defined({ rollback: rollback?.notes }),
  };
  // A wish in the body would be in somebody else's name, and so would a note: what stands there stays.
  const wish = isAsked
    ? JSON.stringify(request)
    : current.metadata.annotations?.[configAnnotations.request];
  const {
    [configAnnotations.request]: _wish,
    [configAnnotations.changedBy]: _note,
    ...others
  } = sent.metadata.annotations ?? {};
  const annotations = {
    ...others,
    ...(wish === undefined ? {} : { [configAnnotations.request]: wish }),
    ...noteAuthor(sent, current, by),
  };
  const saved = await client.replace<DeploymentConfig>(
    resources.deploymentConfigs,
    {
      ...sent,
      metadata: { ...sent.metadata, namespace: key.namespace, annotations },
      ...defined({ rollback: block }),
    },
    { strict: true },
  );
  if (!isAsked && block === undefined) return { config: saved };
  const made = await waitAtMost(versionWithinMs, signal, (within) =>
    waitForVersion(client, saved, version, within),
  );
  return made === undefined ? { config: saved, pendingVersion: version } : { config: made };
}

/** What was generated for a rollback may have been changed since, or made up. */
async function checkRollback(
  client: KubernetesClient,
  current: DeploymentConfig,
  { field, notes }: SentRollback,
): Promise<void> {
  const { namespace, name } = current.metadata;
  const { items } = await client.list<ReplicationController>(
    resources.replicationControllers,
    namespace,
    { labelSelector: `${configAnnotations.configName}=${name}` },
  );
  const releases = readReleases(current, items);
  const latestVersion = current.status?.latestVersion ?? 0;
  const picked = pickRelease({ name, latestVersion, releases }, { release: notes.to });
  if (picked.kind === 'problem') throw invalidField(field, picked.problem.message);
}

/** Whoever sends another template is its author, whether or not they ask for a version. */
function noteAuthor(
  sent: DeploymentConfig,
  current: DeploymentConfig,
  by: string,
): Record<string, string> {
  const [before, now] = [
    changedTemplate(current),
    changedTemplate({ ...current, spec: sent.spec }),
  ];
  if (!isSameChange(before, now)) return writeChangeNote({ by, manager: ourselves }, now);
  const kept = current.metadata.annotations?.[configAnnotations.changedBy];
  return kept === undefined ? {} : { [configAnnotations.changedBy]: kept };
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
