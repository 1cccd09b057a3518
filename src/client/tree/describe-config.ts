import { generateConfig, type Generated } from '../../domain/deployment-config/generate-config.js';
import type { VersionPhase } from '../../domain/deployment-config/observation.js';
import { refusedType, stayedType } from '../../domain/deployment-config/mark-refused.js';
import { suspendedType } from '../../domain/deployment-config/mark-suspended.js';
import { describeCauses, formatSource } from '../../domain/deployment-config/triggers.js';
import { configAnnotations } from '../../kubernetes/deployment-configs/annotations.js';
import { decodeConfig } from '../../kubernetes/deployment-configs/build-controller.js';
import type {
  DeploymentConfig,
  ReplicationController,
} from '../../kubernetes/deployment-configs/objects.js';
import { readRequest } from '../../kubernetes/deployment-configs/read-request.js';
import { readTriggers } from '../../kubernetes/deployment-configs/read-triggers.js';
import { areTriggersHeld } from '../../kubernetes/deployment-configs/suspension.js';
import { annotations } from '../../kubernetes/deployments/annotations.js';
import type { ImageRepository } from '../../kubernetes/image-repositories/objects.js';
import type { PodTemplate } from '../../kubernetes/objects.js';
import { describeRepository } from './describe-repository.js';
import { phaseOfVersion } from './describe-version.js';
import type { ConfigPhase } from './tree.js';

export interface ConfigState {
  readonly phase: ConfigPhase;
  /** Tags whose images are not known, without which no version can be made. */
  readonly waitsFor: readonly string[];
  /** Why it stands as it does, in a sentence; empty when there is nothing to add. */
  readonly message: string;
}

export interface ConfigScene {
  readonly config: DeploymentConfig;
  /** The controller of the latest version, where it is there. */
  readonly latest: ReplicationController | undefined;
  readonly repositories: readonly ImageRepository[];
}

/** Where a DeploymentConfig stands, by the same rules by which a worker makes its versions. */
export function describeConfig(scene: ConfigScene): ConfigState {
  const { latest } = scene;
  const due = foresee(scene);
  const phase = latest === undefined ? undefined : phaseOfVersion(latest);
  const isUnderWay = phase === 'New' || phase === 'Pending' || phase === 'Running';
  if (due.waitsFor.length > 0 && !isUnderWay) {
    return {
      phase: 'Waiting',
      waitsFor: due.waitsFor,
      message: explainImages(scene, due.waitsFor),
    };
  }
  return { ...describeDue(scene, due, phase), waitsFor: due.waitsFor };
}

function describeDue(
  scene: ConfigScene,
  due: Generated<PodTemplate>,
  phase: VersionPhase | undefined,
): Omit<ConfigState, 'waitsFor'> {
  const { config } = scene;
  const version = config.status?.latestVersion ?? 0;
  if (due.causes.length > 0) {
    const why = describeCauses(due.causes);
    return { phase: 'Waiting', message: `Version ${version + 1} is due: ${why}.` };
  }
  if (config.rollback !== undefined && config.rollback !== null) {
    return {
      phase: 'Waiting',
      message: 'It is asked to go back, and nobody has seen to that yet.',
    };
  }
  const { paused, suspended } = heldBy(config);
  if (paused && foresee(scene, { paused: false, suspended }).causes.length > 0) {
    return { phase: 'Paused', message: explainPause(config, 'its changes wait') };
  }
  if (version === 0) return { phase: 'Idle', message: explainIdle(config) };
  if (!isObserved(config)) {
    return { phase: 'Waiting', message: 'No controller has seen this change yet.' };
  }
  return describeVersionPhase(scene, phase ?? 'New', version);
}

function describeVersionPhase(
  { config, latest }: ConfigScene,
  phase: VersionPhase,
  version: number,
): Omit<ConfigState, 'waitsFor'> {
  const isPaused = config.spec.paused === true;
  switch (phase) {
    case 'New':
    case 'Pending':
    case 'Running':
      return isPaused
        ? { phase: 'Paused', message: explainPause(config, `version ${version} waits`) }
        : { phase: 'Progressing', message: progressOf(config) };
    case 'Complete':
      return {
        phase,
        message: isPaused
          ? explainPause(config)
          : explainAvailability(config) || explainRefusal(config) || explainSuspension(config),
      };
    case 'Failed':
      return {
        phase: isCancelled(latest) ? 'Cancelled' : 'Failed',
        message:
          explainStay(config) || `Version ${version}: ${reasonOf(latest) ?? progressOf(config)}`,
      };
  }
}

/** What keeps triggers from making versions. */
interface Held {
  readonly paused: boolean;
  readonly suspended: boolean;
}

const heldBy = (config: DeploymentConfig): Held => ({
  paused: config.spec.paused === true,
  suspended: areTriggersHeld(config),
});

/** What a worker makes of the config when it looks at it now. */
function foresee(
  { config, latest, repositories }: ConfigScene,
  { paused, suspended }: Held = heldBy(config),
): Generated<PodTemplate> {
  const { namespace = '' } = config.metadata;
  const latestVersion = config.status?.latestVersion ?? 0;
  const asked = readRequest(config);
  const snapshot = latest === undefined ? undefined : decodeConfig(latest);
  return generateConfig<PodTemplate>({
    latestVersion,
    template: config.spec.template,
    triggers: readTriggers(config.spec, namespace),
    paused,
    suspended,
    images: listImages(repositories),
    ...(snapshot === undefined
      ? {}
      : {
          deployed: {
            template: snapshot.spec.template,
            triggers: readTriggers(snapshot.spec, namespace),
          },
        }),
    ...(asked === undefined || asked.version <= latestVersion ? {} : { request: asked }),
  });
}

function listImages(repositories: readonly ImageRepository[]): ReadonlyMap<string, string> {
  const found = repositories.flatMap(({ metadata: { namespace = '', name }, status }) =>
    (status?.tags ?? []).flatMap(({ tag, image }): [string, string][] =>
      image === undefined ? [] : [[formatSource({ namespace, repository: name, tag }), image]],
    ),
  );
  return new Map(found);
}

/** Example: It waits for the image of shop/web:latest: the registry refuses our credentials. */
function explainImages({ repositories }: ConfigScene, waitsFor: readonly string[]): string {
  const clauses = waitsFor.map((source) => {
    const repository = repositories.find(({ metadata: { namespace = '', name } }) =>
      source.startsWith(`${namespace}/${name}:`),
    );
    if (repository === undefined) return `${source}: there is no such ImageRepository here`;
    const { message, phase } = describeRepository(repository);
    return phase === 'Ready'
      ? `${source}: the repository has no such tag, or doesn't follow it`
      : `${source}: ${message}`;
  });
  return `It waits for the image of ${clauses.join('; ')}`;
}

function explainPause({ metadata }: DeploymentConfig, effect?: string): string {
  const reason = metadata.annotations?.[annotations.pauseReason] ?? '';
  return `Paused${effect === undefined ? '' : `, ${effect}`}${reason === '' ? '.' : `: ${reason}`}`;
}

/** Why it did not go back when it was last asked to; empty when it was not, or did. */
function explainRefusal({ status }: DeploymentConfig): string {
  const found = status?.conditions?.find(({ type }) => type === refusedType);
  return found === undefined ? '' : `It could not go back: ${found.message ?? ''}`;
}

/** Why it did not go back by itself; empty when it was not to, or did. */
const explainStay = ({ status }: DeploymentConfig): string =>
  status?.conditions?.find(({ type }) => type === stayedType)?.message ?? '';

/** Empty when they act, or when there is nothing that could. */
function explainSuspension({ spec, status }: DeploymentConfig): string {
  if (spec.triggersSuspended !== true) return '';
  const found = status?.conditions?.find(({ type }) => type === suspendedType);
  const since = found?.lastTransitionTime;
  const why = found?.message ?? 'spec.triggersSuspended is set';
  return `Triggers are suspended${since === undefined ? '' : ` since ${since}`}: ${why}`;
}

function explainIdle(config: DeploymentConfig): string {
  const { spec, metadata } = config;
  if (spec.paused === true) return explainPause({ spec, metadata }, 'it has no version');
  if (spec.triggersSuspended === true) return explainSuspension(config);
  return `It has no version, and none of its triggers makes one: "slipway trigger dc/${metadata.name}" does.`;
}

const progressOf = ({ status }: DeploymentConfig): string =>
  status?.conditions?.find(({ type }) => type === 'Progressing')?.message ?? '';

function explainAvailability({ status, spec }: DeploymentConfig): string {
  const found = status?.conditions?.find(({ type }) => type === 'Available');
  return found?.status === 'False' && spec.test !== true ? (found.message ?? '') : '';
}

const isObserved = ({ metadata, status }: DeploymentConfig): boolean =>
  (status?.observedGeneration ?? 0) >= (metadata.generation ?? 1);

const isCancelled = (latest: ReplicationController | undefined): boolean =>
  latest?.metadata.annotations?.[configAnnotations.cancelled] === 'true';

const reasonOf = (latest: ReplicationController | undefined): string | undefined =>
  latest?.metadata.annotations?.[configAnnotations.statusReason];
