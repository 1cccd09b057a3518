import type { HookSummary } from '../../domain/shared/hook.js';
import { defined } from '../../domain/shared/optional.js';
import type { KubernetesObject } from '../objects.js';
import { readHookRecord } from './hook-record.js';
import { readHooks, type HooksSource } from './read-hooks.js';

/** The hooks of a deployment with how far they are; undefined where it has none. */
export function readHookSummaries(
  owner: KubernetesObject,
  strategy: HooksSource | undefined,
): readonly HookSummary[] | undefined {
  const wishes = readHooks(strategy);
  if (wishes.length === 0) return undefined;
  return wishes.map(({ moment, isMandatory }) => {
    const record = readHookRecord(owner, moment);
    const { ended, phase, reason, endedAtMs, wasStopped, resets } = record;
    const known = defined({ phase, reason, endedAtMs, wasStopped, resets });
    return { moment, isMandatory, ended, ...known };
  });
}
