import { isOver } from '../../domain/deployment-config/observation.js';
import { hookMoments, isHookOver } from '../../domain/shared/hook.js';
import type { Revision } from '../../domain/shared/revision.js';
import { configAnnotations } from '../../kubernetes/deployment-configs/annotations.js';
import {
  controllerName,
  decodeConfig,
} from '../../kubernetes/deployment-configs/build-controller.js';
import type {
  DeploymentConfig,
  ReplicationController,
} from '../../kubernetes/deployment-configs/objects.js';
import { readHookRecord } from '../../kubernetes/hooks/hook-record.js';
import { readHooks, type HookWish } from '../../kubernetes/hooks/read-hooks.js';
import { resources } from '../../kubernetes/resources.js';
import { badInput } from '../failure.js';
import type { FollowEnd } from '../follower.js';
import type { Subject } from '../handling.js';
import type { LogTarget } from '../logs/log-target.js';
import { phaseOfVersion, versionOf } from '../tree/describe-version.js';
import { pickVersion } from './config-history.js';
import { readVersions } from './versions.js';

/** The hooks and the deployer of a version of a config. */
export async function findConfigLogs(
  subject: Subject<DeploymentConfig>,
  revision?: Revision,
): Promise<LogTarget> {
  const { ref, object, type } = subject;
  const latest = object.status?.latestVersion ?? 0;
  if (revision === undefined && latest === 0) throw badInput(`${ref}: it has no version yet`);
  const version =
    revision === undefined
      ? latest
      : versionOf(pickVersion(ref, await readVersions(subject), revision));
  const { namespace = '', name } = object.metadata;
  return {
    title: `version ${version} of ${ref}`,
    namespace,
    root: { type, name },
    holder: { type: resources.replicationControllers, name: controllerName(name, version) },
    listWishes,
    hasDeployer: (holder) => decodeConfig(holder)?.spec.strategy?.type === 'Custom',
    judge: (holder, root) => judgeVersion(holder, root as DeploymentConfig | undefined),
  };
}

const listWishes = (holder: ReplicationController): readonly HookWish[] =>
  readHooks(decodeConfig(holder)?.spec.strategy);

/** A version that failed may still have a hook to run for that. */
export function judgeVersion(
  holder: ReplicationController,
  root: DeploymentConfig | undefined,
): FollowEnd | undefined {
  const phase = phaseOfVersion(holder);
  if (!isOver(phase)) return undefined;
  if (phase === 'Complete') return 'complete';
  if (isReverting(holder, root)) return undefined;
  const isCancelled = holder.metadata.annotations?.[configAnnotations.cancelled] === 'true';
  return isCancelled ? 'cancelled' : 'failed';
}

/** Whether the hook for a failure is due: one that never began has nothing to revert, nor has an old one. */
function isReverting(holder: ReplicationController, root: DeploymentConfig | undefined): boolean {
  const isWished = listWishes(holder).some(({ moment }) => moment === 'abort');
  const isLatest = root?.status?.latestVersion === versionOf(holder);
  const hasBegun =
    holder.metadata.annotations?.[configAnnotations.startedAt] !== undefined ||
    hookMoments.some((moment) => readHookRecord(holder, moment).phase !== undefined);
  return isWished && isLatest && hasBegun && !isHookOver(readHookRecord(holder, 'abort'));
}
