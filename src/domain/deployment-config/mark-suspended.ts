import {
  findCondition,
  removeCondition,
  setCondition,
  type Condition,
} from '../shared/conditions.js';
import { describeAsked, type RollbackNotes } from './triggers.js';

export const suspendedType = 'TriggersSuspended';

export interface Suspension {
  /** Of the config. */
  readonly name: string;
  /** The rollback that has just suspended them, where one has. */
  readonly rollback?: RollbackNotes & { readonly by?: string };
}

/**
 * The conditions of a config whose triggers are suspended, or are not any more. Since when is told by the
 * condition's transition time, and by which rollback by its message, which stays when other versions follow.
 */
export function markSuspended(
  conditions: readonly Condition[],
  suspension: Suspension | undefined,
  nowMs: number,
): readonly Condition[] {
  if (suspension === undefined) return removeCondition(conditions, suspendedType);
  const current = findCondition(conditions, suspendedType);
  const { rollback } = suspension;
  if (rollback === undefined && current?.status === 'True') return conditions;
  const message = describeSuspension(suspension);
  const reason = rollback === undefined ? 'Requested' : 'RolledBack';
  return setCondition(
    conditions,
    { type: suspendedType, status: 'True', reason, message },
    nowMs,
    current?.message !== message,
  );
}

/** Example: rollback from version 2 to version 1 by ann: no trigger makes a version until … */
function describeSuspension({ name, rollback }: Suspension): string {
  const why = rollback === undefined ? 'spec.triggersSuspended is set' : describeAsked(rollback);
  return `${why}: no trigger makes a version until "slipway resume-triggers dc/${name}"`;
}
