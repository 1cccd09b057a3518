import type { HookBegun, VersionData } from '../../domain/rollback/scene.js';
import { defined } from '../../domain/shared/optional.js';
import { decodeConfig } from '../deployment-configs/build-controller.js';
import type { ReplicationController } from '../deployment-configs/objects.js';
import { readHookRecord } from '../hooks/hook-record.js';
import { readHooks } from '../hooks/read-hooks.js';

/** What a version has done that outlives it: its hooks that have begun. */
export function readVersionData(controller: ReplicationController, version: number): VersionData {
  const wishes = readHooks(decodeConfig(controller)?.spec.strategy);
  const hooks = wishes.flatMap(({ moment, hook }): HookBegun[] => {
    const { phase, ended, endedAtMs } = readHookRecord(controller, moment);
    const command = hook.execNewPod?.command ?? [];
    return phase === undefined
      ? []
      : [{ moment, command, phase, ended, ...defined({ endedAtMs }) }];
  });
  return { name: controller.metadata.name, version, hooks };
}
