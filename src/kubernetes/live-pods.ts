import type { KubernetesClient } from './client.js';
import type { KubernetesObject, Pod } from './objects.js';
import { resources } from './resources.js';
import { SharedWatch, type Change, type SharedWatchOptions } from './shared-watch.js';

/**
 * The pods of a cluster that have not ended. Watched from the first time that somebody has to look at one:
 * most rollouts are judged by counts, and pods are the most numerous of all objects.
 */
export class LivePods {
  private readonly watch: SharedWatch<Pod>;
  private known: Promise<void> | undefined;

  constructor(client: KubernetesClient, options: SharedWatchOptions) {
    this.watch = new SharedWatch(client, resources.pods, {
      ...options,
      fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed',
    });
  }

  /** Resolves once they are known; from then on they are kept up to date until the signal aborts. */
  begin(signal: AbortSignal): Promise<void> {
    // Kept, so that no look leaves a listener of its own behind.
    this.known ??= this.start(signal);
    return this.known;
  }

  subscribe(listener: (change: Change<Pod>) => void): void {
    this.watch.subscribe(listener);
  }

  /** Those of some controllers, as far as they are known. */
  of(controllers: readonly KubernetesObject[]): Pod[] {
    return controllers.flatMap(({ metadata }) => [...this.watch.controlledBy(metadata.uid ?? '')]);
  }

  private async start(signal: AbortSignal): Promise<void> {
    void this.watch.run(signal);
    await Promise.race([this.watch.whenReady, whenAborted(signal)]);
  }
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
