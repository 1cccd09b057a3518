import {
  describeDetails,
  generate,
  type ConfigScene,
} from '../../../activities/deployment-config/generate.js';
import { isNotFound } from '../../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../../kubernetes/client.js';
import { controllerName } from '../../../kubernetes/deployment-configs/build-controller.js';
import type { ConfigKey } from '../../../kubernetes/deployment-configs/config-view.js';
import type {
  DeploymentConfig,
  ReplicationController,
} from '../../../kubernetes/deployment-configs/objects.js';
import {
  readTriggers,
  writeTriggers,
} from '../../../kubernetes/deployment-configs/read-triggers.js';
import type { ImageRepository } from '../../../kubernetes/image-repositories/objects.js';
import { readImages } from '../../../kubernetes/image-repositories/read-images.js';
import { resources } from '../../../kubernetes/resources.js';

export interface GeneratedConfig {
  readonly config: DeploymentConfig;
  /** Sources whose images are not known yet, without which no version can be made. */
  readonly waitsFor: readonly string[];
}

/**
 * A config as its next version would have it: the newest images of all triggers, and a version one
 * higher where that would differ from the latest. Nothing is saved.
 */
export async function generateFor(
  client: KubernetesClient,
  key: ConfigKey,
  by: string,
): Promise<GeneratedConfig> {
  const scene = await observeScene(client, key);
  const { config } = scene;
  const generated = generate(scene, { by, onlyIfChanged: true });
  const { template, causes, latestVersion, waitsFor } = generated;
  const triggers = writeTriggers(config.spec, key.namespace, generated.triggers);
  return {
    config: {
      ...config,
      spec: { ...config.spec, template, ...(triggers === undefined ? {} : { triggers }) },
      status: {
        ...config.status,
        latestVersion,
        ...(causes.length > 0 ? { details: describeDetails(causes) } : {}),
      },
    },
    waitsFor,
  };
}

/** Read anew from the cluster: who serves this need not be the one who watches. */
async function observeScene(
  client: KubernetesClient,
  { namespace, name }: ConfigKey,
): Promise<ConfigScene> {
  const config = await client.get<DeploymentConfig>(resources.deploymentConfigs, namespace, name);
  const version = config.status?.latestVersion ?? 0;
  const sources = readTriggers(config.spec, namespace).images.map(({ source }) => source);
  const repositories = new Map(
    sources.map((source) => [`${source.namespace}/${source.repository}`, source]),
  );
  const [latest, ...found] = await Promise.all([
    version === 0
      ? undefined
      : unlessMissing(
          client.get<ReplicationController>(
            resources.replicationControllers,
            namespace,
            controllerName(name, version),
          ),
        ),
    ...[...repositories.values()].map((source) =>
      unlessMissing(
        client.get<ImageRepository>(
          resources.imageRepositories,
          source.namespace,
          source.repository,
        ),
      ),
    ),
  ]);
  return {
    config,
    latest,
    images: readImages(found.filter((repository) => repository !== undefined)),
  };
}

export async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
