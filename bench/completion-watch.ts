import type { KubernetesClient } from '../src/kubernetes/client.js';
import { SharedWatch, type Change } from '../src/kubernetes/shared-watch.js';
import { isComplete, workloadTypes, type Workload, type WorkloadKind } from './workloads.js';

export interface Awaited {
  readonly namespace: string;
  readonly name: string;
  readonly generation: number;
}

/** The one watch that sees when rollouts are complete, whichever engine rolls. */
export class CompletionWatch {
  private readonly watch: SharedWatch<Workload>;
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(client: KubernetesClient, kind: WorkloadKind) {
    this.watch = new SharedWatch<Workload>(client, workloadTypes[kind]);
  }

  async start(): Promise<void> {
    this.running = this.watch.run(this.stopping.signal);
    await this.watch.whenReady;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Resolves to the time (of `performance.now`) at which the last of them was seen complete. */
  whenComplete(awaited: readonly Awaited[], signal: AbortSignal): Promise<number> {
    const pending = new Map(
      awaited.map((one) => [keyOf(one.namespace, one.name), one.generation] as const),
    );
    const settle = (workload: Workload): void => {
      const key = keyOf(workload.metadata.namespace ?? '', workload.metadata.name);
      const generation = pending.get(key);
      if (generation !== undefined && isComplete(workload, generation)) pending.delete(key);
    };
    for (const workload of this.watch.all()) settle(workload);
    if (pending.size === 0) return Promise.resolve(performance.now());
    return new Promise((resolve, reject) => {
      const unsubscribe = this.watch.subscribe((change: Change<Workload>) => {
        if (change.kind === 'set') settle(change.object);
        if (pending.size > 0) return;
        end();
        resolve(performance.now());
      });
      const abort = (): void => {
        end();
        const [first] = pending.keys();
        reject(new Error(`${pending.size} not complete, ${first ?? ''} among them`));
      };
      const end = (): void => {
        unsubscribe();
        signal.removeEventListener('abort', abort);
      };
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort);
    });
  }
}

const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;
