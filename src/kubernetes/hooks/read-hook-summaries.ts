import type { HookSummary } from '../../domain/shared/hook.js';
import { defined } from '../../domain/shared/optional.js';
import { decodeConfig } from '../deployment-configs/build-controller.js';
import type { ReplicationController } from '../deployment-configs/objects.js';
import { readHookRecord } from './hook-record.js';
import { readHooks } from './read-hooks.js';

/** The hooks of a version with how far they are; undefined where it has none. */
export function readHookSummaries(
  controller: ReplicationController,
): readonly HookSummary[] | undefined {
  const wishes = readHooks(decodeConfig(controller)?.spec.strategy);
  if (wishes.length === 0) return undefined;
  return wishes.map(({ moment, isMandatory }) => {
    const { phase, reason, endedAtMs, ended } = readHookRecord(controller, moment);
    return { moment, isMandatory, ended, ...defined({ phase, reason, endedAtMs }) };
  });
}
