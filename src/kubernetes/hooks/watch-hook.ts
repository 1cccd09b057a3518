import type { Versions } from '../../contracts/advance.js';
import type { HookObservation } from '../../domain/hook/observation.js';
import type { HookMoment } from '../../domain/shared/hook.js';
import { isAsNew, versionsOf } from '../object-versions.js';
import type { RunOncePods } from '../run-once-pods/run-once-pods.js';
import type { Sighting, WatchedObject } from '../wait-for-change.js';
import type { HookOwner } from './hook-owner.js';
import { readHookObservation } from './read-hook-observation.js';

/** Where what a hook belongs to is seen. */
export interface HookSource {
  readonly isStopped: () => boolean;
  readonly onChange: (listener: () => void) => () => void;
  /** Undefined when it is gone. */
  readonly find: () => HookOwner | undefined;
  /** Whether that still waits for the hook: nobody has stopped or overtaken it. */
  readonly isWanted: (owner: HookOwner) => Promise<boolean>;
  /** Whether the copy of such objects has got that far. */
  readonly hasSeen: (version: string) => boolean;
}

/** One hook, for whoever runs it. */
export function watchHook(
  source: HookSource,
  pods: RunOncePods,
  moment: HookMoment,
): WatchedObject<HookObservation> {
  return {
    get isStopped() {
      return source.isStopped();
    },
    onChange: source.onChange,
    observe: () => observe(source, pods, moment),
    isCaughtUp: (sighting, since) => isCaughtUp(source, pods, sighting, since),
  };
}

async function observe(
  source: HookSource,
  runOncePods: RunOncePods,
  moment: HookMoment,
): Promise<Sighting<HookObservation> | undefined> {
  const first = source.find();
  if (first === undefined) return undefined;
  const isWanted = await source.isWanted(first);
  const pods = await runOncePods.ofHook(first.object, moment);
  // What was awaited may have taken a while.
  const owner = source.find();
  if (owner === undefined) return undefined;
  if (owner.object !== first.object) return observe(source, runOncePods, moment);
  const observation = readHookObservation({ owner, pods, moment, isWanted });
  if (observation === undefined) return undefined;
  const deployment = owner.object.metadata.resourceVersion ?? '0';
  return { observation, versions: { deployment, replicaSets: versionsOf(pods) } };
}

function isCaughtUp(
  source: HookSource,
  pods: RunOncePods,
  sighting: Sighting<HookObservation> | undefined,
  since: Versions,
): boolean {
  const found = sighting?.versions;
  if (found === undefined) return source.hasSeen(since.deployment);
  return (
    isAsNew(found.deployment, since.deployment) &&
    Object.entries(since.replicaSets).every(([uid, version]) => {
      const current = found.replicaSets[uid];
      return current === undefined ? pods.watch.hasSeen(version) : isAsNew(current, version);
    })
  );
}
