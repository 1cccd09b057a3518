import type { RollbackNotes } from '../../../domain/deployment-config/triggers.js';
import type { DeploymentConfig } from '../../../kubernetes/deployment-configs/objects.js';
import { readRollbackNotes } from '../../../kubernetes/deployment-configs/read-request.js';

export interface SentRollback {
  /** Where the body says which version it goes back to. */
  readonly field: string;
  readonly notes: RollbackNotes;
}

/**
 * What was generated for a rollback makes a version of that kind; who asks, the token says. What is still there of
 * a rollback before has another version to go back from.
 */
export function findSentRollback(
  { status }: Pick<DeploymentConfig, 'status'>,
  latestVersion: number,
): SentRollback | undefined {
  for (const [index, { type, rollback }] of (status?.details?.causes ?? []).entries()) {
    const notes = type === 'Rollback' ? readRollbackNotes(rollback) : undefined;
    if (notes?.from !== latestVersion) continue;
    const { run: _sent, ...rest } = notes;
    return { field: `status.details.causes[${index}].rollback.to`, notes: rest };
  }
  return undefined;
}
