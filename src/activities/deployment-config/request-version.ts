import { ApplicationFailure } from '@temporalio/common';

import type {
  RequestResult,
  RequestVersionRequest,
  VersionActivities,
} from '../../contracts/deployment-config.js';
import { failureTypes } from '../../contracts/failure-types.js';
import { someWorkflow } from '../../domain/shared/author.js';
import { defined } from '../../domain/shared/optional.js';
import { isNotFound } from '../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import { configAnnotations } from '../../kubernetes/deployment-configs/annotations.js';
import { controllerName } from '../../kubernetes/deployment-configs/build-controller.js';
import type {
  DeploymentConfig,
  ReplicationController,
} from '../../kubernetes/deployment-configs/objects.js';
import { findPendingRollback } from '../../kubernetes/deployment-configs/read-request.js';
import type { KubernetesObject } from '../../kubernetes/objects.js';
import { resources } from '../../kubernetes/resources.js';
import type { ClusterAccess } from '../cluster-access.js';
import { toActivityFailure } from '../failures.js';

/**
 * Asks for the version that a run was started for: with a manifest, which is applied together with the
 * wish, so that both make one version; without one, also for another try of a version that has failed.
 */
export function createRequestVersion(access: ClusterAccess): VersionActivities['requestVersion'] {
  return async (asked) => {
    const { ref } = asked;
    const client = access.cluster(ref.cluster)?.client;
    if (client === undefined) return { kind: 'elsewhere' };
    try {
      return await request(client, asked);
    } catch (error) {
      if (error instanceof ApplicationFailure) throw error;
      throw toActivityFailure(
        error,
        `ask for version ${ref.version} of ${ref.namespace}/${ref.name}`,
      );
    }
  };
}

async function request(
  client: KubernetesClient,
  asked: RequestVersionRequest,
): Promise<RequestResult> {
  const { ref, manifest } = asked;
  const config = await findConfig(client, asked);
  const latest = config?.status?.latestVersion ?? 0;
  if (config === undefined && manifest === undefined) return { kind: 'gone' };
  if (config !== undefined && latest === ref.version) return askAgain(client, asked, config);
  if (ref.version !== latest + 1) {
    throw badInput(`version: the next version of ${ref.name} is ${latest + 1}, not ${ref.version}`);
  }
  const { version, namespace, name } = ref;
  const pending = config && findPendingRollback(config);
  if (pending !== undefined) {
    throw badInput(`version: ${name} is on its way back to version ${pending.to}`);
  }
  const { reason } = asked.wish;
  const wish = JSON.stringify({ version, by: describeAsker(asked), ...defined({ reason }) });
  const annotations = { [configAnnotations.request]: wish };
  const type = resources.deploymentConfigs;
  if (manifest === undefined) {
    const resourceVersion = config?.metadata.resourceVersion;
    const body = { metadata: { annotations, resourceVersion } };
    return toDone(await client.patch(type, namespace, name, 'merge', body, { brief: true }));
  }
  const given: Readonly<Record<string, string>> | undefined = manifest.metadata.annotations;
  const metadata = {
    ...manifest.metadata,
    namespace,
    name,
    annotations: { ...given, ...annotations },
  };
  return toDone(await client.apply(type, { ...manifest, metadata }, { strict: true }));
}

/** The version is there: by this very run's wish, of which the answer was lost, or to be tried again. */
async function askAgain(
  client: KubernetesClient,
  asked: RequestVersionRequest,
  config: DeploymentConfig,
): Promise<RequestResult> {
  const { ref, manifest } = asked;
  const by = describeAsker(asked);
  const isOurs = config.status?.details?.causes?.some((cause) => cause.by === by) === true;
  if (isOurs) return toDone(config);
  const { namespace } = ref;
  const name = controllerName(ref.name, ref.version);
  const type = resources.replicationControllers;
  const controller = await client.get<ReplicationController>(type, namespace, name);
  const phase = controller.metadata.annotations?.[configAnnotations.phase];
  if (manifest !== undefined || phase !== 'Failed') {
    throw badInput(
      `version: ${name} is ${phase ?? 'New'} already; the next version is ${ref.version + 1}`,
    );
  }
  const annotations = { [configAnnotations.retry]: by };
  await client.patch(
    type,
    namespace,
    name,
    'merge',
    { metadata: { annotations } },
    { brief: true },
  );
  return toDone(config);
}

async function findConfig(
  client: KubernetesClient,
  { ref }: RequestVersionRequest,
): Promise<DeploymentConfig | undefined> {
  try {
    const { namespace, name } = ref;
    return await client.get<DeploymentConfig>(resources.deploymentConfigs, namespace, name);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Names the run, so that whoever reads the version's cause finds it, and so does a second try. */
const describeAsker = ({ wish, runId }: RequestVersionRequest): string =>
  `${wish.by ?? someWorkflow} (run ${runId})`;

const toDone = (
  { metadata }: KubernetesObject,
  replicaSets: Readonly<Record<string, string>> = {},
): RequestResult => ({
  kind: 'done',
  versions: { deployment: metadata.resourceVersion ?? '0', replicaSets },
});

const badInput = (message: string): ApplicationFailure =>
  ApplicationFailure.nonRetryable(message, failureTypes.badInput);
