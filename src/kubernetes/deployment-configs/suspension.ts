import type { Suspension } from '../../domain/deployment-config/mark-suspended.js';
import { defined } from '../../domain/shared/optional.js';
import type { DeploymentConfig } from './objects.js';
import { readRequest, readRollbackNotes } from './read-request.js';

/** Whether triggers make no version: by the switch, or while somebody's wish to go back has to be met first. */
export const areTriggersHeld = ({ spec, rollback }: DeploymentConfig): boolean =>
  spec.triggersSuspended === true || (rollback !== undefined && rollback !== null);

/** Why a config's triggers are suspended; undefined where they are not. */
export function readSuspension(config: DeploymentConfig): Suspension | undefined {
  if (config.spec.triggersSuspended !== true) return undefined;
  return { name: config.metadata.name, ...defined({ rollback: findRollback(config) }) };
}

/** The one that is asked for, or that the latest version came of. */
function findRollback(config: DeploymentConfig): Suspension['rollback'] {
  const asked = readRequest(config);
  if (asked?.rollback !== undefined) return { ...asked.rollback, ...defined({ by: asked.by }) };
  for (const cause of config.status?.details?.causes ?? []) {
    const notes = cause.type === 'Rollback' ? readRollbackNotes(cause.rollback) : undefined;
    if (notes !== undefined) return { ...notes, ...defined({ by: cause.by }) };
  }
  return undefined;
}
