import {
  findCondition,
  removeCondition,
  setCondition,
  type Condition,
} from '../shared/conditions.js';

export const refusedType = 'RollbackRefused';

/** The conditions of a config that was asked to go back and can't; they say why, until its next version. */
export const markRefused = (
  conditions: readonly Condition[],
  message: string,
  nowMs: number,
): readonly Condition[] =>
  setCondition(
    conditions,
    { type: refusedType, status: 'True', reason: 'NotPossible', message },
    nowMs,
    true,
  );

export const stayedType = 'AutomaticRollback';

/** The conditions of a config whose latest version has failed and that doesn't go back by itself. */
export const markStayed = (
  conditions: readonly Condition[],
  { reason, message }: { readonly reason: string; readonly message: string },
  nowMs: number,
): readonly Condition[] =>
  setCondition(
    conditions,
    { type: stayedType, status: 'False', reason, message },
    nowMs,
    findCondition(conditions, stayedType)?.message !== message,
  );

/** A new version has nothing to do with what was refused to those before it. */
export const forgetRefusals = (conditions: readonly Condition[]): readonly Condition[] =>
  removeCondition(removeCondition(conditions, refusedType), stayedType);
