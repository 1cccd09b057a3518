import {
  ApplicationFailure,
  CancelledFailure,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
} from '@temporalio/client';

import { failureTypes } from '../../contracts/failure-types.js';
import type { RollbackOutcome, RollbackRunStatus } from '../../contracts/rollback.js';

/** How a run ended. */
export type RollbackEnd =
  | { readonly kind: 'ended'; readonly outcome: RollbackOutcome }
  /** By Temporal's own cancel, and nobody answers where the configs stand. */
  | { readonly kind: 'cancelled' }
  /** It could not even begin, or was ended from outside. */
  | { readonly kind: 'broken'; readonly why: string; readonly isBadInput: boolean };

/**
 * What came of a run: one that was refused or has failed brings its outcome with its failure. One that was
 * cancelled can't bring any, so it is asked.
 */
export async function readRollbackEnd(
  result: Promise<unknown>,
  askStatus: () => Promise<RollbackRunStatus>,
): Promise<RollbackEnd> {
  try {
    return { kind: 'ended', outcome: (await result) as RollbackOutcome };
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    if (error.cause instanceof CancelledFailure) return readCancelled(askStatus);
    const cause = findRoot(error);
    if (!(cause instanceof ApplicationFailure)) {
      return { kind: 'broken', why: cause.message, isBadInput: false };
    }
    const [outcome] = cause.details ?? [];
    if (isOutcome(outcome)) return { kind: 'ended', outcome };
    const isBadInput = cause.type === failureTypes.badInput;
    return { kind: 'broken', why: cause.message, isBadInput };
  }
}

async function readCancelled(askStatus: () => Promise<RollbackRunStatus>): Promise<RollbackEnd> {
  try {
    return { kind: 'ended', outcome: { ...(await askStatus()), phase: 'Cancelled' } };
  } catch {
    // It is over all the same; without a worker, nobody can say more.
    return { kind: 'cancelled' };
  }
}

/** What went wrong in the first place; all around it only says where. */
function findRoot(error: Error): Error {
  return error.cause instanceof Error ? findRoot(error.cause) : error;
}

export const isAlreadyStarted = (error: unknown): boolean =>
  error instanceof WorkflowExecutionAlreadyStartedError;

const isOutcome = (value: unknown): value is RollbackOutcome =>
  typeof value === 'object' && value !== null && 'phase' in value && 'standings' in value;
