import { setTimeout as delay } from 'node:timers/promises';

import { defined } from '../domain/shared/optional.js';
import { ApiError, isGone } from './api-error.js';
import type { KubernetesClient } from './client.js';
import type { KubernetesObject, ObjectList } from './objects.js';
import type { ResourceType } from './resources.js';

export type Change<T> =
  | { readonly kind: 'set'; readonly object: T; readonly previous: T | undefined }
  | { readonly kind: 'deleted'; readonly object: T };

export interface SharedWatchOptions {
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  /** Called when the watch is interrupted; it goes on by itself. */
  readonly onInterruption?: (error: unknown) => void;
}

const pageSize = 500;
const firstRetryMs = 100;
const longestRetryMs = 10_000;
/** A stream that the server ends sooner than this is not followed again at once. */
const shortestStreamMs = 1_000;

/**
 * One list and one watch of a kind in a whole cluster, shared by all who wait for a change: a copy of
 * the objects in memory, and a call for each change.
 */
export class SharedWatch<T extends KubernetesObject> {
  private readonly byNamespace = new Map<string, Map<string, T>>();
  /** By the uid of the controller; those without one by their namespace. */
  private readonly byController = new Map<string, Map<string, T>>();
  private readonly listeners = new Set<(change: Change<T>) => void>();
  private latest = 0n;
  private markReady: () => void = () => undefined;
  /** Resolves once the first list has been read. */
  readonly whenReady = new Promise<void>((resolve) => (this.markReady = resolve));

  constructor(
    private readonly client: KubernetesClient,
    private readonly type: ResourceType,
    private readonly options: SharedWatchOptions = {},
  ) {}

  /** Whether everything up to that resource version has been seen, so that what is missing is gone. */
  hasSeen(resourceVersion: string): boolean {
    return this.latest >= BigInt(resourceVersion);
  }

  get(namespace: string, name: string): T | undefined {
    return this.byNamespace.get(namespace)?.get(name);
  }

  *inNamespace(namespace: string): Generator<T> {
    yield* this.byNamespace.get(namespace)?.values() ?? [];
  }

  *all(): Generator<T> {
    for (const objects of this.byNamespace.values()) yield* objects.values();
  }

  /** Those whose controller has that uid. */
  *controlledBy(uid: string): Generator<T> {
    yield* this.byController.get(uid)?.values() ?? [];
  }

  /** Those of a namespace that have no controller. */
  *uncontrolledIn(namespace: string): Generator<T> {
    yield* this.byController.get(noController(namespace))?.values() ?? [];
  }

  subscribe(listener: (change: Change<T>) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Lists and watches until the signal aborts; interruptions are bridged by listing again. */
  async run(signal: AbortSignal): Promise<void> {
    let retryMs = firstRetryMs;
    let listedAtMs = 0;
    const isStopped = (): boolean => signal.aborted;
    while (!isStopped()) {
      try {
        let resourceVersion = await this.relist(signal);
        listedAtMs = Date.now();
        this.markReady();
        while (true) {
          const followedAtMs = Date.now();
          resourceVersion = await this.follow(resourceVersion, signal);
          if (Date.now() - followedAtMs < shortestStreamMs) await pause(firstRetryMs, signal);
        }
      } catch (error) {
        if (isStopped()) return;
        if (!isGone(error)) this.options.onInterruption?.(error);
        // A watch that has worked for a while starts over quickly; one that never does, ever more slowly.
        if (listedAtMs > 0 && Date.now() - listedAtMs > longestRetryMs) retryMs = firstRetryMs;
        await pause(retryMs, signal);
        retryMs = Math.min(retryMs * 2, longestRetryMs);
      }
    }
  }

  private async relist(signal: AbortSignal): Promise<string> {
    const seen = new Set<string>();
    let page: ObjectList<T>;
    let next: string | undefined;
    do {
      page = await this.client.list<T>(this.type, undefined, {
        limit: pageSize,
        continue: next,
        ...this.selectors,
      });
      signal.throwIfAborted();
      for (const object of page.items) {
        seen.add(keyOf(object));
        this.set(object);
      }
      next = page.metadata.continue;
    } while (next !== undefined && next !== '');
    for (const object of [...this.all()]) if (!seen.has(keyOf(object))) this.remove(object);
    return this.note(page.metadata.resourceVersion ?? '0');
  }

  private async follow(resourceVersion: string, signal: AbortSignal): Promise<string> {
    let latest = resourceVersion;
    const events = this.client.watch<T>(this.type, undefined, {
      resourceVersion,
      ...this.selectors,
      signal,
    });
    for await (const { type, object } of events) {
      if (type === 'ERROR') throw toApiError(object);
      latest = this.note(object.metadata.resourceVersion ?? latest);
      if (type === 'DELETED') this.remove(object);
      else if (type !== 'BOOKMARK') this.set(object);
    }
    return latest;
  }

  private get selectors(): Pick<SharedWatchOptions, 'fieldSelector' | 'labelSelector'> {
    const { fieldSelector, labelSelector } = this.options;
    return defined({ fieldSelector, labelSelector });
  }

  private note(resourceVersion: string): string {
    this.latest = BigInt(resourceVersion);
    return resourceVersion;
  }

  private set(object: T): void {
    const namespace = object.metadata.namespace ?? '';
    const objects = this.byNamespace.get(namespace) ?? new Map<string, T>();
    this.byNamespace.set(namespace, objects);
    const previous = objects.get(object.metadata.name);
    if (previous?.metadata.resourceVersion === object.metadata.resourceVersion) return;
    objects.set(object.metadata.name, object);
    if (previous !== undefined) this.unindex(previous);
    this.index(object);
    this.announce({ kind: 'set', object, previous });
  }

  private remove(object: T): void {
    const namespace = object.metadata.namespace ?? '';
    const objects = this.byNamespace.get(namespace);
    const previous = objects?.get(object.metadata.name);
    if (objects === undefined || previous === undefined) return;
    objects.delete(object.metadata.name);
    this.unindex(previous);
    if (objects.size === 0) this.byNamespace.delete(namespace);
    this.announce({ kind: 'deleted', object });
  }

  private index(object: T): void {
    const key = controllerKey(object);
    const objects = this.byController.get(key) ?? new Map<string, T>();
    this.byController.set(key, objects);
    objects.set(keyOf(object), object);
  }

  private unindex(object: T): void {
    const key = controllerKey(object);
    const objects = this.byController.get(key);
    objects?.delete(keyOf(object));
    if (objects?.size === 0) this.byController.delete(key);
  }

  private announce(change: Change<T>): void {
    for (const listener of this.listeners) listener(change);
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  delay(ms, undefined, { signal }).catch(() => undefined);

const keyOf = ({ metadata }: KubernetesObject): string =>
  `${metadata.namespace ?? ''}/${metadata.name}`;

const noController = (namespace: string): string => `namespace/${namespace}`;

const controllerKey = ({ metadata }: KubernetesObject): string =>
  metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid ??
  noController(metadata.namespace ?? '');

/** A watch reports trouble as an event whose object is a Status. */
function toApiError(object: unknown): ApiError {
  const { code, reason, message } = object as { code?: number; reason?: string; message?: string };
  return new ApiError(code ?? 500, reason ?? 'Unknown', message ?? 'the watch was interrupted');
}
