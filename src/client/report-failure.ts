import {
  ApiError,
  isForbidden,
  isInvalid,
  isUnauthenticated,
  UnreachableError,
} from '../kubernetes/api-error.js';
import { explainApiError } from './explain-api-error.js';
import { CommandFailure, exitCodes } from './failure.js';
import { Interrupted } from './interrupt.js';
import { cleanText } from './output/line.js';

export interface FailureReport {
  /** Each is one line on stderr. */
  readonly sentences: readonly string[];
  readonly exitCode: number;
  /** Nobody expected this one, so its stack may help. */
  readonly isUnexpected: boolean;
}

/** What to tell the user, and the shell, about an error that ended a command. */
export function reportFailure(error: unknown): FailureReport {
  if (error instanceof CommandFailure) {
    return expected(error.message.split('\n'), error.exitCode);
  }
  if (error instanceof Interrupted) return expected([], error.exitCode);
  if (error instanceof UnreachableError) return expected([error.message], exitCodes.badInput);
  if (error instanceof ApiError) return reportApiError(error);
  // Known by name, because the module that it lives in takes half a second to load.
  if (error instanceof Error && error.name === 'ClusterSettingsError') {
    return expected([error.message], exitCodes.badInput);
  }
  const message = error instanceof Error ? error.message || error.name : String(error);
  return { sentences: [cleanText(message)], exitCode: exitCodes.failed, isUnexpected: true };
}

function reportApiError(error: ApiError): FailureReport {
  const isInput = isForbidden(error) || isUnauthenticated(error) || isInvalid(error);
  const sentences = explainApiError(error).map(({ field, problem }) =>
    field === undefined ? problem : `${field}: ${problem}`,
  );
  return expected(sentences, isInput ? exitCodes.badInput : exitCodes.failed);
}

function expected(sentences: readonly string[], exitCode: number): FailureReport {
  return { sentences: sentences.map(cleanText), exitCode, isUnexpected: false };
}
