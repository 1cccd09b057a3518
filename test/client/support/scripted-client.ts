import type { ListOptions, WatchEvent } from '../../../src/kubernetes/client.js';
import type { KubernetesObject, ObjectList } from '../../../src/kubernetes/objects.js';
import type { ResourceType } from '../../../src/kubernetes/resources.js';
import type { ReadingClient } from '../../../src/client/watch-objects.js';

/** What a list answers: objects, or an error. */
export type ListStep = readonly KubernetesObject[] | Error;
/** What a watch yields before it ends, fails, or (with 'open') waits for its signal. */
export type WatchStep = readonly (WatchEvent<KubernetesObject> | Error | 'open')[];

/** Answers as the test says, step by step; after the last step it repeats that. */
export class ScriptedClient implements ReadingClient {
  readonly listed: { readonly type: ResourceType; readonly options: ListOptions }[] = [];
  readonly watched: ListOptions[] = [];

  constructor(
    private readonly lists: readonly ListStep[],
    private readonly watches: readonly WatchStep[] = [['open']],
  ) {}

  list<T extends KubernetesObject>(
    type: ResourceType,
    _namespace?: string,
    options: ListOptions = {},
  ): Promise<ObjectList<T>> {
    const step = stepAt(this.lists, this.listed.length);
    this.listed.push({ type, options });
    if (step instanceof Error) return Promise.reject(step);
    return Promise.resolve({ metadata: { resourceVersion: '1' }, items: [...step] as T[] });
  }

  async *watch<T extends KubernetesObject>(
    _type: ResourceType,
    _namespace: string | undefined,
    options: ListOptions & { readonly signal?: AbortSignal },
  ): AsyncGenerator<WatchEvent<T>> {
    const step = stepAt(this.watches, this.watched.length);
    this.watched.push(options);
    for (const item of step) {
      if (item instanceof Error) throw item;
      if (item === 'open') await untilAborted(options.signal);
      else yield item as WatchEvent<T>;
    }
  }
}

export const changed = (
  type: WatchEvent<unknown>['type'],
  object: KubernetesObject,
  resourceVersion = '2',
): WatchEvent<KubernetesObject> => ({
  type,
  object: { ...object, metadata: { ...object.metadata, resourceVersion } },
});

function stepAt<T>(steps: readonly T[], index: number): T {
  const step = steps[Math.min(index, steps.length - 1)];
  if (step === undefined) throw new Error('the script has no steps');
  return step;
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
}
