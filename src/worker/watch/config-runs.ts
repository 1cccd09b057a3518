import type { Logger } from 'pino';

import { describeRun } from '../../contracts/search-attributes.js';
import { versionWorkflowId, workflowTypes } from '../../contracts/workflow-ids.js';
import { isOver, type VersionObservation } from '../../domain/deployment-config/observation.js';
import { planVersion } from '../../domain/deployment-config/plan-version.js';
import { isSettled, isUrgent, type VersionPlan } from '../../domain/deployment-config/plan.js';
import type { ConfigKey, ConfigView } from '../../kubernetes/deployment-configs/config-view.js';
import type { Need, RunDescription, RunSource } from './run-source.js';

const details = [
  'Rolls out one version of a DeploymentConfig, then ends.',
  'The signals `pause` and `resume` write `spec.paused`; cancelling goes back to the last complete version.',
].join(' ');

/** The DeploymentConfigs of a cluster, each version of which has runs of its own. */
export function configRuns(
  cluster: string,
  view: ConfigView,
  logger: Pick<Logger, 'warn'>,
): RunSource<ConfigKey> {
  return {
    keys: () => view.keys(),
    format: ({ namespace, name }) => `${namespace}/${name}`,
    onChange: (listener) => view.onChange(listener),
    findNeed: async (key) => {
      try {
        return await findRun(cluster, view, key);
      } catch (error) {
        // The apiserver can't be asked just now: a run would only wait for it, so that is no reason not to.
        logger.warn({ err: error, ...key }, 'could not look at a DeploymentConfig');
        const version = view.get(key)?.status?.latestVersion ?? 0;
        if (version === 0) return undefined;
        return { state: '', isUrgent: true, run: describe(cluster, key, version) };
      }
    },
  };
}

/** A version that was overtaken and is not over yet comes first: the next one waits for its end. */
async function findRun(
  cluster: string,
  view: ConfigView,
  key: ConfigKey,
): Promise<Need | undefined> {
  const latest = view.get(key)?.status?.latestVersion ?? 0;
  if (latest === 0) return undefined;
  const look = await view.observe({ ...key, version: latest });
  const overtaken = look?.observation.controllers
    .filter(({ version, phase }) => version < latest && !isOver(phase))
    .map(({ version }) => version)
    .sort((a, b) => a - b)[0];
  const version = overtaken ?? latest;
  const sighting = await view.observe({ ...key, version });
  if (sighting === undefined) return undefined;
  const { observation } = sighting;
  const plan = planVersion(observation);
  if (isSettled(plan)) return undefined;
  return {
    state: [version, observation.config.generation, isRetried(observation)].join('/'),
    isUrgent: isUrgent(plan, observation),
    run: describe(cluster, key, version, plan),
  };
}

/** Somebody wants a version tried again, which makes it another state of things. */
const isRetried = ({ controllers, version }: VersionObservation): boolean =>
  controllers.some((controller) => controller.version === version && controller.isRetried);

function describe(
  cluster: string,
  { namespace, name }: ConfigKey,
  version: number,
  plan?: VersionPlan,
): RunDescription {
  const ref = { cluster, namespace, name };
  return {
    type: workflowTypes.deploymentConfig,
    workflowId: versionWorkflowId(ref, version),
    input: { ...ref, version },
    summary: `Version ${version} of DeploymentConfig ${namespace}/${name} in ${cluster}`,
    details: plan === undefined ? details : `${plan.summary}\n\n${details}`,
    attributes: plan === undefined ? [] : describeRun('DeploymentConfig', ref, plan.phase, version),
  };
}
