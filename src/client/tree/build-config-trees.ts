import { refusedType } from '../../domain/deployment-config/mark-refused.js';
import { describeTriggers } from '../../kubernetes/deployment-configs/describe-triggers.js';
import type {
  DeploymentConfig,
  ReplicationController,
} from '../../kubernetes/deployment-configs/objects.js';
import type { ImageRepository } from '../../kubernetes/image-repositories/objects.js';
import { decodeConfig } from '../../kubernetes/deployment-configs/build-controller.js';
import { readHooks } from '../../kubernetes/hooks/read-hooks.js';
import type { Pod } from '../../kubernetes/objects.js';
import { workedFor } from '../../kubernetes/run-once-pods/worked-for.js';
import { buildPods } from './build-pods.js';
import { compareText } from './compare-text.js';
import { describeConfig } from './describe-config.js';
import { describeHooks } from './describe-hooks.js';
import { describeJob } from './describe-job.js';
import { describeVersion, listVersions, versionOf } from './describe-version.js';
import { groupByOwner } from './group-by-owner.js';
import type { ConfigTree, JobTree } from './tree.js';

export interface ConfigObjects {
  readonly configs: readonly DeploymentConfig[];
  readonly controllers: readonly ReplicationController[];
  readonly repositories: readonly ImageRepository[];
  readonly pods: readonly Pod[];
}

/** Puts versions under their config, and under them what was started for them. */
export function buildConfigTrees(objects: ConfigObjects): ConfigTree[] {
  const isJob = (pod: Pod): boolean => workedFor(pod) !== undefined;
  const podsByOwner = groupByOwner(objects.pods.filter((pod) => !isJob(pod)));
  const started = objects.pods.filter(isJob);
  const jobs = groupJobs(started);
  return objects.configs.map((config) => buildTree(config, objects, podsByOwner, started, jobs));
}

function buildTree(
  config: DeploymentConfig,
  { controllers, repositories }: ConfigObjects,
  podsByOwner: ReadonlyMap<string, readonly Pod[]>,
  started: readonly Pod[],
  jobs: ReadonlyMap<string, readonly JobTree[]>,
): ConfigTree {
  const { metadata, spec, status } = config;
  const namespace = metadata.namespace ?? '';
  const latestVersion = status?.latestVersion ?? 0;
  const versions = listVersions(metadata.uid ?? '', controllers);
  const latest = versions.find((controller) => versionOf(controller) === latestVersion);
  const { phase, waitsFor, message } = describeConfig({ config, latest, repositories });
  return {
    apiVersion: config.apiVersion ?? 'apps.openshift.io/v1',
    kind: 'DeploymentConfig',
    namespace,
    name: metadata.name,
    phase,
    message: metadata.deletionTimestamp === undefined ? message : 'It is being deleted.',
    paused: spec.paused === true,
    strategy: (spec.strategy?.type ?? '') || 'Rolling',
    triggers: describeTriggers(spec),
    triggersSuspended: spec.triggersSuspended === true,
    rollbackAsked: config.rollback !== undefined && config.rollback !== null,
    rollbackRefused: findRefusal(config),
    latestVersion,
    waitsFor,
    replicas: {
      desired: spec.replicas ?? 1,
      current: status?.replicas ?? 0,
      updated: status?.updatedReplicas ?? 0,
      ready: status?.readyReplicas ?? 0,
      available: status?.availableReplicas ?? 0,
    },
    versions: versions.map((controller) => ({
      ...describeVersion(controller, latestVersion),
      hooks: describeHooks({
        holder: controller,
        wishes: readHooks(decodeConfig(controller)?.spec.strategy),
        pods: started,
      }),
      jobs: jobs.get(`${namespace}/${controller.metadata.name}`) ?? [],
      pods: buildPods(podsByOwner.get(controller.metadata.uid ?? '') ?? []),
    })),
  };
}

const findRefusal = ({ status }: DeploymentConfig): string | null =>
  status?.conditions?.find(({ type }) => type === refusedType)?.message ?? null;

function groupJobs(pods: readonly Pod[]): ReadonlyMap<string, JobTree[]> {
  const groups = new Map<string, JobTree[]>();
  for (const pod of pods.toSorted((a, b) => compareText(a.metadata.name, b.metadata.name))) {
    const version = workedFor(pod);
    if (version === undefined) continue;
    const key = `${pod.metadata.namespace ?? ''}/${version}`;
    groups.set(key, [...(groups.get(key) ?? []), describeJob(pod, version)]);
  }
  return groups;
}
