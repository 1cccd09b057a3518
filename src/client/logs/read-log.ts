import { ApiError, isForbidden, isNotFound, UnreachableError } from '../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import { defined } from '../../domain/shared/optional.js';
import { badInput } from '../failure.js';
import { cleanText } from '../output/line.js';
import { pause } from '../pause.js';
import { isPassing } from '../watch-objects.js';
import { LogPosition, type LogLine } from './log-position.js';

const firstRetryMs = 250;
/** So many failures in a row make a log unreadable; a cluster that is away is waited for longer. */
const mostFailures = 5;
const mostAbsences = 20;
const longestRetryMs = 5_000;
/** A stream that is silent for so long after its pod has ended is cut. */
const silentEndMs = 5_000;

export interface LogRequest {
  readonly client: Pick<KubernetesClient, 'readLog'>;
  readonly namespace: string;
  readonly pod: string;
  readonly container?: string | undefined;
  /** Only the last so many lines. */
  readonly tail?: number | undefined;
  /** Aborts when the pod has ended; without it, what is there is read once. */
  readonly ended?: AbortSignal | undefined;
  readonly signal: AbortSignal;
}

export type LogOutcome =
  /** With what the server said beside it: that the end may be missing, for example. */
  | { readonly kind: 'read'; readonly remark?: string }
  | { readonly kind: 'gone' }
  /** With what the server says about it. */
  | { readonly kind: 'unreadable'; readonly why: string };

/**
 * Reads the log of a pod, until it has ended when it is followed. Whatever breaks on the way is taken up where
 * it broke; after the end it is read once more, so that nothing is missing that a broken stream has lost.
 */
export async function readLog(
  request: LogRequest,
  print: (line: LogLine) => Promise<void>,
): Promise<LogOutcome> {
  const { ended, signal } = request;
  const position = new LogPosition(request.tail !== undefined);
  for (let failures = 0; ;) {
    const isLast = ended?.aborted ?? true;
    try {
      await readOnce(request, position, isLast, async (line) => {
        failures = 0;
        await print(line);
      });
      if (isLast) return conclude(position);
      // Either it has ended, of which we shall hear, or the server has closed the stream.
      await pauseUntil(ended, firstRetryMs, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isSilence(error)) continue;
      failures += 1;
      const outcome = judge(error, request, failures);
      if (outcome !== undefined) return position.hasBegun ? toCut(outcome) : outcome;
      const retryMs = Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1));
      await pauseUntil(isLast ? undefined : ended, retryMs, signal);
    }
    signal.throwIfAborted();
  }
}

/** A node answers with words of its own, in place of lines, for a container that it has removed. */
function conclude({ hasBegun, remark }: LogPosition): LogOutcome {
  const said = remark === undefined ? undefined : cleanText(remark);
  if (said !== undefined && !hasBegun) return { kind: 'unreadable', why: said };
  return { kind: 'read', ...defined({ remark: said }) };
}

/** Of what was read before, the end that was kept elsewhere is no news. */
function toCut(outcome: LogOutcome): LogOutcome {
  if (outcome.kind === 'read') return outcome;
  return { kind: 'read', remark: outcome.kind === 'gone' ? 'the pod is gone' : outcome.why };
}

async function readOnce(
  { client, namespace, pod, container, tail, ended, signal }: LogRequest,
  position: LogPosition,
  isLast: boolean,
  print: (line: LogLine) => Promise<void>,
): Promise<void> {
  const stalled = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const rest = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      stalled.abort();
    }, silentEndMs);
  };
  if (!isLast) ended?.addEventListener('abort', rest, { once: true });
  const sinceTime = position.resume();
  try {
    const lines = client.readLog(namespace, pod, {
      ...defined({ container, sinceTime, tailLines: sinceTime === undefined ? tail : undefined }),
      follow: !isLast,
      timestamps: true,
      signal: AbortSignal.any([signal, stalled.signal]),
    });
    for await (const sent of lines) {
      if (ended?.aborted === true && !isLast) rest();
      const line = position.take(sent);
      if (line !== undefined) await print(line);
    }
  } catch (error) {
    if (!stalled.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    ended?.removeEventListener('abort', rest);
  }
}

/** Nothing was written for so long that the connection was given up, which is no failure. */
function isSilence(error: unknown): boolean {
  const causes = error instanceof Error ? [error, error.cause] : [];
  return causes.some(
    (cause) =>
      cause instanceof Error &&
      'code' in cause &&
      (cause.code === 'UND_ERR_BODY_TIMEOUT' || cause.code === 'UND_ERR_HEADERS_TIMEOUT'),
  );
}

/** What a failure means; undefined when it is worth another try. */
function judge(
  error: unknown,
  { namespace, ended }: LogRequest,
  failures: number,
): LogOutcome | undefined {
  if (isNotFound(error)) return { kind: 'gone' };
  if (isForbidden(error)) {
    throw badInput(
      `you may not read logs in namespace ${namespace}: that takes the right to get pods/log`,
      error,
    );
  }
  const isAway = error instanceof UnreachableError;
  const mayPass = isAway || isPassing(error) || isNotStarted(error);
  if (!mayPass) throw error;
  // Whoever doesn't follow wants an answer now.
  const most = isAway ? mostAbsences : mostFailures;
  const isFollowed = ended !== undefined && !(isNotStarted(error) && ended.aborted);
  if (isFollowed && failures < most) return undefined;
  if (isAway) throw error;
  return { kind: 'unreadable', why: cleanText((error as Error).message) };
}

/** The container has not begun; one that never will is refused in the same way. */
const isNotStarted = (error: unknown): boolean => error instanceof ApiError && error.code === 400;

/** Waits, but not longer than until one of the signals aborts. */
async function pauseUntil(
  ended: AbortSignal | undefined,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  const both = ended === undefined ? signal : AbortSignal.any([signal, ended]);
  await pause(milliseconds, both);
}
