import { ApiError, isGone, UnreachableError } from '../kubernetes/api-error.js';
import type { KubernetesClient } from '../kubernetes/client.js';
import type { KubernetesObject } from '../kubernetes/objects.js';
import type { ResourceType } from '../kubernetes/resources.js';
import { CommandFailure } from './failure.js';
import { formatDuration } from './output/duration.js';
import { pause } from './pause.js';

const firstRetryMs = 250;
const longestRetryMs = 5_000;
const briefStreamMs = 1_000;
const pageSize = 500;

/** The part of a client that looks, and never writes. */
export type ReadingClient = Pick<KubernetesClient, 'list' | 'watch'>;

export interface ObjectSelection {
  readonly client: ReadingClient;
  readonly type: ResourceType;
  /** All namespaces when left out. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

export interface ObjectWatch<T extends KubernetesObject> extends ObjectSelection {
  /** A kind that this cluster may not have: then there are simply no such objects. */
  readonly optional?: boolean;
  /** Called with all objects by uid, after the first list and after each change. */
  readonly onChange: (objects: ReadonlyMap<string, T>) => void;
  /** Called with a sentence when the cluster stops answering, and without when it answers again. */
  readonly onTrouble?: (sentence?: string) => void;
  /** How long to go on without an answer; for ever when left out. */
  readonly giveUpAfterMs?: number;
  readonly signal: AbortSignal;
}

/**
 * Keeps a picture of the objects up to date until the signal aborts. Streams that end are taken up where
 * they ended, and a cluster that is away for a while is waited for, but one that can't be reached to
 * begin with is an error.
 */
export async function watchObjects<T extends KubernetesObject>(
  watch: ObjectWatch<T>,
): Promise<void> {
  const patience = new Patience(watch);
  const isOver = (): boolean => watch.signal.aborted;
  while (!isOver()) {
    try {
      await listAndFollow(watch, patience);
    } catch (error) {
      if (isOver()) return;
      if (watch.optional === true && isNotServed(error)) {
        watch.onChange(new Map());
        return;
      }
      if (!isPassing(error)) throw error;
      await patience.wait(error);
    }
  }
}

async function listAndFollow<T extends KubernetesObject>(
  watch: ObjectWatch<T>,
  patience: Patience,
): Promise<void> {
  const { client, type, namespace, signal } = watch;
  const { objects, resourceVersion } = await listObjects<T>(watch);
  patience.answered();
  watch.onChange(objects);
  let position = resourceVersion;
  while (!signal.aborted) {
    const startedMs = Date.now();
    const events = client.watch<T>(type, namespace, {
      ...selectors(watch),
      resourceVersion: position,
      signal,
    });
    for await (const { type: change, object } of events) {
      patience.answered();
      if (change === 'ERROR') throw toApiError(object);
      position = object.metadata.resourceVersion ?? position;
      if (change === 'BOOKMARK') continue;
      const uid = object.metadata.uid ?? '';
      if (change === 'DELETED') objects.delete(uid);
      else objects.set(uid, object);
      watch.onChange(objects);
    }
    // A server that ends streams at once, because it is going down, must not be asked without a rest.
    if (Date.now() - startedMs < briefStreamMs) await pause(firstRetryMs, signal);
  }
}

/** All objects of a selection, page by page, and the position from which to watch them. */
export async function listObjects<T extends KubernetesObject>(selection: ObjectSelection) {
  const { client, type, namespace } = selection;
  const objects = new Map<string, T>();
  let next: string | undefined;
  let resourceVersion: string | undefined;
  do {
    const page = await client.list<T>(type, namespace, {
      ...selectors(selection),
      limit: pageSize,
      continue: next,
    });
    for (const item of page.items) objects.set(item.metadata.uid ?? '', withType(item, type));
    resourceVersion = page.metadata.resourceVersion;
    next = page.metadata.continue === '' ? undefined : page.metadata.continue;
  } while (next !== undefined);
  return { objects, resourceVersion };
}

function selectors({ labelSelector, fieldSelector }: ObjectSelection) {
  return { labelSelector, fieldSelector };
}

/** The items of a list don't say what they are, because the list does. */
export function withType<T extends KubernetesObject>(object: T, type: ResourceType): T {
  return { ...object, apiVersion: type.apiVersion, kind: type.kind };
}

/** An error inside a stream is a Status object in the place of one of the kind watched. */
function toApiError(status: unknown): ApiError {
  return ApiError.fromBody(statusCode(status), JSON.stringify(status));
}

function statusCode(status: unknown): number {
  const code = typeof status === 'object' && status !== null && 'code' in status ? status.code : 0;
  return typeof code === 'number' ? code : 500;
}

/** The API itself is missing: an apiserver says so in plain text, not with a reason of its own. */
export function isNotServed(error: unknown): boolean {
  return error instanceof ApiError && error.code === 404 && error.reason === 'Unknown';
}

/** Whether trying again may help: it went away, it is overloaded, or the stream broke. */
export function isPassing(error: unknown): boolean {
  if (error instanceof UnreachableError || isGone(error)) return true;
  if (error instanceof ApiError) return error.code === 429 || error.code >= 500;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^(UND_ERR|E[A-Z]+$)/.test(code);
}

/** Waits longer after each failure in a row, says so once, and gives up when told to. */
class Patience {
  private failedSinceMs: number | undefined;
  private retryMs = firstRetryMs;
  private everAnswered = false;

  constructor(
    private readonly watch: Pick<ObjectWatch<never>, 'onTrouble' | 'giveUpAfterMs' | 'signal'>,
  ) {}

  answered(): void {
    if (this.failedSinceMs !== undefined) this.watch.onTrouble?.();
    this.failedSinceMs = undefined;
    this.retryMs = firstRetryMs;
    this.everAnswered = true;
  }

  async wait(error: unknown): Promise<void> {
    if (!this.everAnswered) throw error;
    // A history that is too old, or a stream that broke, is nothing to worry about yet.
    const isTrouble = error instanceof UnreachableError || error instanceof ApiError;
    const nowMs = Date.now();
    if (isTrouble && !isGone(error) && this.failedSinceMs === undefined) {
      this.failedSinceMs = nowMs;
      this.watch.onTrouble?.(`${(error as Error).message}; trying again`);
    }
    const { giveUpAfterMs } = this.watch;
    const silentMs = nowMs - (this.failedSinceMs ?? nowMs);
    if (giveUpAfterMs !== undefined && silentMs > giveUpAfterMs) {
      throw new CommandFailure(
        `${error instanceof Error ? error.message : String(error)}, for ${formatDuration(silentMs)} now`,
        undefined,
        { cause: error },
      );
    }
    await pause(this.retryMs, this.watch.signal);
    this.retryMs = Math.min(this.retryMs * 2, longestRetryMs);
  }
}
