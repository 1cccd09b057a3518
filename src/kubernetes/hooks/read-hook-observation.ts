import type { HookObservation, HookTry } from '../../domain/hook/observation.js';
import type { HookMoment } from '../../domain/shared/hook.js';
import { defined } from '../../domain/shared/optional.js';
import { usualDeadlineSeconds } from '../deployment-configs/build-deployer-pod.js';
import type { Pod } from '../objects.js';
import { readRunOncePod, type PodOwner } from '../run-once-pods/read-run-once-pod.js';
import type { HookOwner } from './hook-owner.js';
import { readHookRecord } from './hook-record.js';
import { readHooks, type HookWish } from './read-hooks.js';
import { readTryNumber } from './read-try-number.js';

interface HookParts {
  readonly owner: HookOwner;
  readonly pods: readonly Pod[];
  readonly moment: HookMoment;
  readonly isWanted: boolean;
}

/** What decisions need of a hook; undefined where its deployment has none for that moment. */
export function readHookObservation({
  owner,
  pods,
  moment,
  isWanted,
}: HookParts): HookObservation | undefined {
  const { object, strategy } = owner;
  const wish = readHooks(strategy).find((hook) => hook.moment === moment);
  if (wish === undefined) return undefined;
  const { name } = object.metadata;
  return {
    observedAtMs: Date.now(),
    deployment: name,
    moment,
    policy: wish.policy,
    deadlineSeconds: strategy.activeDeadlineSeconds ?? usualDeadlineSeconds,
    isWanted,
    ...defined({ problem: findProblem(wish, name) }),
    record: readHookRecord(object, moment),
    tries: pods.map((pod) => readTry(pod, object.metadata)).sort((a, b) => a.number - b.number),
  };
}

/** Images are tagged in OpenShift's registry, which a plain cluster doesn't have. */
function findProblem({ hook, moment }: HookWish, deployment: string): string | undefined {
  const { execNewPod } = hook;
  if (execNewPod !== undefined && execNewPod !== null) return undefined;
  return `the ${moment} hook of ${deployment} has tagImages, which can't be carried out here; execNewPod can`;
}

function readTry(pod: Pod, owner: PodOwner): HookTry {
  return { number: readTryNumber(pod), pod: readRunOncePod(pod, owner) };
}
