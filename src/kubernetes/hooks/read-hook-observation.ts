import type { HookObservation, HookTry } from '../../domain/hook/observation.js';
import type { HookMoment } from '../../domain/shared/hook.js';
import { defined } from '../../domain/shared/optional.js';
import { configAnnotations } from '../deployment-configs/annotations.js';
import { decodeConfig } from '../deployment-configs/build-controller.js';
import { usualDeadlineSeconds } from '../deployment-configs/build-deployer-pod.js';
import type { DeploymentConfig, ReplicationController } from '../deployment-configs/objects.js';
import type { Pod } from '../objects.js';
import { readRunOncePod } from '../run-once-pods/read-run-once-pod.js';
import { hookTryAnnotation } from './annotations.js';
import { readHookRecord } from './hook-record.js';
import { readHooks, type HookWish } from './read-hooks.js';

interface HookSource {
  readonly controller: ReplicationController;
  /** Undefined when it is gone. */
  readonly config: DeploymentConfig | undefined;
  readonly pods: readonly Pod[];
  readonly key: { readonly version: number; readonly moment: HookMoment };
}

/** What decisions need of a hook; undefined where the version has none for that moment. */
export function readHookObservation(source: HookSource): HookObservation | undefined {
  const { controller, key, pods } = source;
  const { moment } = key;
  const strategy = decodeConfig(controller)?.spec.strategy;
  const wish = readHooks(strategy).find((hook) => hook.moment === moment);
  if (wish === undefined) return undefined;
  const { name, uid = '' } = controller.metadata;
  return {
    observedAtMs: Date.now(),
    deployment: name,
    moment,
    policy: wish.policy,
    deadlineSeconds: strategy?.activeDeadlineSeconds ?? usualDeadlineSeconds,
    isWanted: isWanted(source),
    ...defined({ problem: findProblem(wish, name) }),
    record: readHookRecord(controller, moment),
    tries: pods.map((pod) => readTry(pod, uid)).sort((a, b) => a.number - b.number),
  };
}

/** Images are tagged in OpenShift's registry, which a plain cluster doesn't have. */
function findProblem({ hook, moment }: HookWish, deployment: string): string | undefined {
  const { execNewPod } = hook;
  if (execNewPod !== undefined && execNewPod !== null) return undefined;
  return `the ${moment} hook of ${deployment} has tagImages, which can't be carried out here; execNewPod can`;
}

function readTry(pod: Pod, ownerUid: string): HookTry {
  const number = Number(pod.metadata.annotations?.[hookTryAnnotation]);
  return {
    number: Number.isSafeInteger(number) && number > 0 ? number : 1,
    pod: readRunOncePod(pod, ownerUid),
  };
}

/** A hook serves a version that is under way; one for its failure, a version that has failed. */
function isWanted({ controller, config, key }: HookSource): boolean {
  const written = controller.metadata.annotations ?? {};
  const phase = written[configAnnotations.phase];
  if (config === undefined || config.metadata.deletionTimestamp !== undefined) return false;
  if (key.moment === 'abort') return phase === 'Failed';
  return (
    written[configAnnotations.cancelled] !== 'true' &&
    config.status?.latestVersion === key.version &&
    phase !== 'Failed' &&
    phase !== 'Complete'
  );
}
