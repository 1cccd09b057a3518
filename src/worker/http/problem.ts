import { ApiError, UnreachableError } from '../../kubernetes/api-error.js';

/** One field that a request has wrong, as Kubernetes lists them. */
export interface ProblemCause {
  readonly field?: string;
  readonly message?: string;
}

export interface ProblemOptions {
  /** @default the word that Kubernetes has for the code */
  readonly reason?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly causes?: readonly ProblemCause[];
  /** For the log alone. */
  readonly cause?: unknown;
}

const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'Timeout',
  409: 'Conflict',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** A request that gets no other answer than why. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly reason: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly causes: readonly ProblemCause[];

  constructor(
    readonly code: number,
    message: string,
    options: ProblemOptions = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.reason = options.reason ?? reasons[code] ?? 'Unknown';
    this.headers = options.headers ?? {};
    this.causes = options.causes ?? [];
  }
}

/** A field of the body that is not as it must be. */
export const invalidField = (field: string, message: string): HttpProblem =>
  new HttpProblem(422, `${field}: ${message}`, { causes: [{ field, message }] });

const retryAfterSeconds = 2;

/** The cluster could not be asked: the same request may succeed later. */
export const unavailable = (message: string, cause: unknown): HttpProblem =>
  new HttpProblem(503, message, {
    cause,
    headers: { 'retry-after': String(retryAfterSeconds) },
  });

/** What the apiserver says of the request is passed on; what it says of us, and all else, is not. */
export function toProblem(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof UnreachableError) {
    return unavailable("the cluster can't be reached right now", error);
  }
  if (error instanceof ApiError) {
    const { code, reason, causes, message } = error;
    if ([400, 404, 409, 413, 422].includes(code)) {
      return new HttpProblem(code, message, { reason, causes });
    }
    if (code === 429 || code >= 500) return unavailable('the cluster is busy right now', error);
    return new HttpProblem(500, 'the cluster does not let the worker do that', { cause: error });
  }
  return new HttpProblem(500, 'something went wrong here, which the log of the worker tells', {
    cause: error,
  });
}

/** The body of an answer, in the form that Kubernetes' clients know. */
export function buildStatus({ code, reason, message, causes, headers }: HttpProblem): object {
  const retryAfter = headers['retry-after'];
  const details = {
    ...(causes.length > 0 ? { causes } : {}),
    ...(retryAfter === undefined ? {} : { retryAfterSeconds: Number(retryAfter) }),
  };
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(Object.keys(details).length > 0 ? { details } : {}),
    code,
  };
}
