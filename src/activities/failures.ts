import { ApplicationFailure } from '@temporalio/common';

import { failureTypes } from '../contracts/failure-types.js';
import { ApiError, isForbidden, isInvalid, isNotFound } from '../kubernetes/api-error.js';

/**
 * What goes into the history for a failed call: what was tried and the server's own sentence. A request
 * that is wrong in itself, not allowed, or about what isn't there, is not sent again; everything else (the server is down, busy
 * or changing) is.
 */
export function toActivityFailure(error: unknown, attempt: string): Error {
  if (!(error instanceof ApiError)) {
    return new Error(`${attempt}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const message = `${attempt}: ${error.message}`;
  if (isInvalid(error)) return ApplicationFailure.nonRetryable(message, failureTypes.badInput);
  if (isForbidden(error) || isNotFound(error)) {
    return ApplicationFailure.nonRetryable(message, failureTypes.refused);
  }
  return ApplicationFailure.retryable(message, error.reason);
}
