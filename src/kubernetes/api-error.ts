/** The part of Kubernetes' `Status` object that callers act upon. */
interface StatusBody {
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: {
    readonly causes?: readonly ApiCause[];
  };
}

interface ApiCause {
  readonly reason?: string;
  readonly field?: string;
  readonly message?: string;
}

/**
 * An answer of the apiserver other than success. Only the server's own sentence is kept: headers and
 * bodies never reach a log or a history.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly code: number,
    readonly reason: string,
    message: string,
    readonly causes: readonly ApiCause[] = [],
  ) {
    super(message);
  }

  static fromBody(code: number, body: string): ApiError {
    const status = parseStatus(body);
    return new ApiError(
      code,
      status.reason ?? 'Unknown',
      status.message ?? `the server answered ${code}`,
      status.details?.causes,
    );
  }
}

/** The cluster gave no answer at all. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';

  constructor(server: string, cause: unknown) {
    super(`the cluster at ${server} can't be reached: ${describeNetworkFailure(cause)}`, { cause });
  }
}

export const isNotFound = (error: unknown): boolean => hasCode(error, 404);
export const isAlreadyExists = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 409 && error.reason === 'AlreadyExists';
export const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 409 && error.reason === 'Conflict';
export const isGone = (error: unknown): boolean => hasCode(error, 410);
/** The request itself is wrong: sending it again can't help. */
export const isInvalid = (error: unknown): boolean =>
  hasCode(error, 400) || hasCode(error, 422) || isUntypeable(error);
export const isForbidden = (error: unknown): boolean => hasCode(error, 403);
/** Nothing new is let into a namespace that is being deleted, and all that is in it will go. */
export const isEnding = (error: unknown): boolean =>
  error instanceof ApiError && error.causes.some(({ reason }) => reason === 'NamespaceTerminating');
/** The credentials are not known, or not any more: new ones may be on their way. */
export const isUnauthenticated = (error: unknown): boolean => hasCode(error, 401);

/** Server-side apply calls a field that it doesn't know, or of another type, an internal error. */
const isUntypeable = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.code === 500 &&
  error.message.includes('failed to create typed patch object');

function hasCode(error: unknown, code: number): boolean {
  return error instanceof ApiError && error.code === code;
}

function parseStatus(body: string): StatusBody {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return body.trim() === '' ? {} : { message: body.trim().slice(0, 300) };
  }
}

function describeNetworkFailure(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  if (code === 'ENOTFOUND') return 'its host name is unknown';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return 'it did not answer in time';
  return cause.message || code || cause.name;
}
