import { waitUntil } from '../src/dev/stack/wait-until.js';
import { isAlreadyExists, isNotFound } from '../src/kubernetes/api-error.js';
import type { KubernetesClient } from '../src/kubernetes/client.js';
import { resources } from '../src/kubernetes/resources.js';
import { CompletionWatch, type Awaited } from './completion-watch.js';
import {
  buildWorkload,
  imagePatch,
  workloadTypes,
  type Workload,
  type WorkloadKind,
  type WorkloadPlan,
} from './workloads.js';

/** Some workloads of one kind, side by side in a namespace of their own. */
export interface WorkloadGroup {
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly count: number;
  readonly podsEach: number;
}

const completeWithinMs = 5 * 60_000;
const goneWithinMs = 5 * 60_000;

/** Creates, changes and deletes workloads, and tells when they are complete. */
export class Workbench {
  private version = 0;
  private readonly watches = new Map<WorkloadKind, CompletionWatch>();

  constructor(
    private readonly client: KubernetesClient,
    private readonly signal: AbortSignal,
  ) {}

  /** Creates what is missing and waits until all of it is complete. */
  async create(group: WorkloadGroup): Promise<void> {
    await this.ensureNamespace(group.namespace);
    this.version += 1;
    const awaited = await Promise.all(
      plansOf(group).map((plan) => this.createOne(plan, this.version)),
    );
    await this.whenComplete(group.kind, awaited);
  }

  /** Gives all of them a new image at once; resolves to the seconds until the last is complete. */
  async roll(group: WorkloadGroup): Promise<number> {
    this.version += 1;
    const patch = imagePatch(this.version);
    const startedMs = performance.now();
    const awaited = await Promise.all(
      plansOf(group).map(async ({ kind, namespace, name }): Promise<Awaited> => {
        const type = workloadTypes[kind];
        const patched = await this.client.patch(type, namespace, name, 'json', patch);
        return { namespace, name, generation: patched.metadata.generation ?? 0 };
      }),
    );
    return ((await this.whenComplete(group.kind, awaited)) - startedMs) / 1_000;
  }

  /** Deletes them and waits until the last pod is gone. */
  async clear(group: WorkloadGroup): Promise<void> {
    const { kind, namespace } = group;
    const options = { propagationPolicy: 'Background' } as const;
    await Promise.all(
      plansOf(group).map(({ name }) =>
        this.client
          .delete(workloadTypes[kind], namespace, name, options)
          .catch(ignoring(isNotFound)),
      ),
    );
    await waitUntil(async () => ((await this.isEmpty(namespace)) ? true : undefined), {
      withinMs: goneWithinMs,
      signal: this.signal,
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.watches.values()].map((watch) => watch.stop()));
  }

  private async createOne(plan: WorkloadPlan, version: number): Promise<Awaited> {
    const { kind, namespace, name } = plan;
    const type = workloadTypes[kind];
    try {
      const made = await this.client.create(type, buildWorkload(plan, version));
      return { namespace, name, generation: made.metadata.generation ?? 0 };
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const { metadata } = await this.client.get<Workload>(type, namespace, name);
      return { namespace, name, generation: metadata.generation ?? 0 };
    }
  }

  private async ensureNamespace(name: string): Promise<void> {
    const namespace = { metadata: { name } };
    await this.client.create(resources.namespaces, namespace).catch(ignoring(isAlreadyExists));
    // Pods can't be made before the account that they run as.
    const ask = (): Promise<unknown> => this.client.get(resources.serviceAccounts, name, 'default');
    await waitUntil(ask, { withinMs: completeWithinMs, signal: this.signal });
  }

  private async isEmpty(namespace: string): Promise<boolean> {
    for (const type of [resources.replicaSets, resources.pods]) {
      const { items } = await this.client.list(type, namespace, { limit: 1 });
      if (items.length > 0) return false;
    }
    return true;
  }

  private async whenComplete(kind: WorkloadKind, awaited: readonly Awaited[]): Promise<number> {
    const late = AbortSignal.timeout(completeWithinMs);
    const watch = await this.watchOf(kind);
    return watch.whenComplete(awaited, AbortSignal.any([this.signal, late]));
  }

  private async watchOf(kind: WorkloadKind): Promise<CompletionWatch> {
    const known = this.watches.get(kind);
    if (known !== undefined) return known;
    const watch = new CompletionWatch(this.client, kind);
    this.watches.set(kind, watch);
    await watch.start();
    return watch;
  }
}

const plansOf = ({ kind, namespace, count, podsEach }: WorkloadGroup): readonly WorkloadPlan[] =>
  Array.from({ length: count }, (_, index) => ({
    kind,
    namespace,
    name: `web-${index + 1}`,
    pods: podsEach,
  }));

const ignoring =
  (isExpected: (error: unknown) => boolean) =>
  (error: unknown): undefined => {
    if (!isExpected(error)) throw error;
    return undefined;
  };
