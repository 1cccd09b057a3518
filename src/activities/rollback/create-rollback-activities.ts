import type { RollbackActivities } from '../../contracts/rollback.js';
import type { ClusterAccess } from '../cluster-access.js';
import type { EventRecorder } from '../events.js';
import { createApplyRollback } from './apply-rollback.js';
import { createAwaitVersion } from './await-version.js';
import { createExamineRollback } from './examine-rollback.js';
import { createRefuseRollback } from './refuse-rollback.js';

/** Those that are not there for versions anyway. */
export function createRollbackActivities(
  access: ClusterAccess,
  events: EventRecorder,
): Omit<RollbackActivities, 'cancelVersion'> {
  return {
    examineRollback: createExamineRollback(access),
    applyRollback: createApplyRollback(access, events),
    refuseRollback: createRefuseRollback(access, events),
    awaitVersion: createAwaitVersion(access),
  };
}
