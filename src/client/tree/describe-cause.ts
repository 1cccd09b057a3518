import { describeRollback } from '../../domain/deployment-config/triggers.js';
import type { DeploymentCause } from '../../kubernetes/deployment-configs/objects.js';
import { readRollbackNotes } from '../../kubernetes/deployment-configs/read-request.js';

/** Example: image change of shop/web:latest */
export function describeCause(cause: DeploymentCause): string {
  const { type, imageTrigger, reason } = cause;
  switch (type) {
    case 'ConfigChange':
      return 'config change';
    case 'Manual':
      return reason === undefined ? 'manual change' : `manual change (${reason})`;
    case 'ImageChange': {
      const { namespace, name } = imageTrigger?.from ?? {};
      return `image change of ${[namespace, name].filter(Boolean).join('/')}`;
    }
    case 'Rollback': {
      const notes = readRollbackNotes(cause.rollback);
      if (notes === undefined) return describeOther(cause);
      return `${describeRollback(notes)}${notes.notes === undefined ? '' : ` (${notes.notes})`}`;
    }
    default:
      return describeOther(cause);
  }
}

/** A cause that a later worker knows tells by its fields what it is. Example: rollback to version 3 (too slow) */
function describeOther(cause: DeploymentCause): string {
  const { type, reason, notes, message } = cause as DeploymentCause &
    Partial<Record<'notes' | 'message', unknown>>;
  const name = type.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  const target = readTarget(cause);
  const said = [reason, notes, message].find((text) => typeof text === 'string' && text !== '');
  return [
    name,
    ...(target === undefined ? [] : [`to version ${target}`]),
    ...(typeof said === 'string' ? [`(${said})`] : []),
  ].join(' ');
}

/** The program that wrote a wish to go back, where it did not say for whom. */
export const findProgram = (causes: readonly DeploymentCause[]): string | undefined =>
  causes
    .map(({ rollback }) => readRollbackNotes(rollback)?.manager)
    .find((manager) => manager !== undefined);

/** The version that a cause says was gone back to. */
export function readTarget(cause: DeploymentCause): number | undefined {
  const { to: told } = cause as DeploymentCause & { readonly to?: unknown };
  const to = readRollbackNotes(cause.rollback)?.to ?? told;
  return typeof to === 'number' && Number.isSafeInteger(to) ? to : undefined;
}
