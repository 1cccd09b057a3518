import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';

import { isNotFound } from '../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import type { ConfigView } from '../../kubernetes/deployment-configs/config-view.js';
import type { Pod } from '../../kubernetes/objects.js';
import { resources, type ResourceType } from '../../kubernetes/resources.js';
import { releasePod } from '../../kubernetes/run-once-pods/hold.js';
import type { RunOncePods } from '../../kubernetes/run-once-pods/run-once-pods.js';

export interface PodReleaserOptions {
  readonly client: KubernetesClient;
  readonly pods: Pick<RunOncePods, 'held' | 'watch'>;
  /** Where things are seen that such pods belong to. */
  readonly views: readonly Pick<ConfigView, 'onLoss'>[];
  readonly logger: Pick<Logger, 'warn'>;
  readonly signal: AbortSignal;
}

const retryMs = 5_000;

/** What run-once pods belong to, by kind. */
const owners: ReadonlyMap<string, ResourceType> = new Map(
  [resources.replicationControllers, resources.replicaSets].map((type) => [type.kind, type]),
);

/** Lets go of run-once pods that are to be deleted and belong to nothing any more, so that nobody else will. */
export class PodReleaser {
  private isDirty = false;
  private looking: Promise<void> | undefined;
  private unsubscribe: () => void = () => undefined;

  constructor(private readonly options: PodReleaserOptions) {}

  start(): void {
    const { pods, views } = this.options;
    const look = (): void => {
      this.look();
    };
    const subscriptions = [pods.watch.subscribe(look), ...views.map((view) => view.onLoss(look))];
    this.unsubscribe = () => {
      for (const unsubscribe of subscriptions) unsubscribe();
    };
    this.look();
  }

  stop(): void {
    this.unsubscribe();
  }

  /** Once at a time; what changes meanwhile is looked at next. */
  private look(): void {
    this.isDirty = true;
    this.looking ??= this.lookUntilClean();
  }

  private async lookUntilClean(): Promise<void> {
    const { pods, signal } = this.options;
    while (this.isDirty && !signal.aborted) {
      this.isDirty = false;
      const going = [...pods.held()].filter(
        ({ metadata }) => metadata.deletionTimestamp !== undefined,
      );
      await Promise.all(going.map((pod) => this.releaseOrphan(pod)));
    }
    // In the same breath as the last look at `isDirty`, so that no change falls in between.
    this.looking = undefined;
  }

  private async releaseOrphan(pod: Pod): Promise<void> {
    const { client, logger, signal } = this.options;
    const { namespace = '', name, uid = '' } = pod.metadata;
    try {
      if (await this.isOrphan(pod)) await releasePod(client, { namespace, name, uid });
    } catch (error) {
      logger.warn({ err: error, namespace, pod: name }, 'could not let go of a pod');
      // Nothing may change by itself that would bring another look.
      void delay(retryMs, undefined, { signal, ref: false }).then(
        () => {
          this.look();
        },
        () => undefined,
      );
    }
  }

  /**
   * Asked of the cluster itself: a copy that lags behind must not cost a pod its hold. A version that was
   * left behind by its config has no run any more either.
   */
  private async isOrphan({ metadata }: Pod): Promise<boolean> {
    const owner = metadata.ownerReferences?.find(({ kind }) => owners.has(kind));
    const type = owners.get(owner?.kind ?? '');
    if (owner === undefined || type === undefined) return true;
    try {
      const found = await this.options.client.get(type, metadata.namespace, owner.name);
      const isVersion = found.metadata.ownerReferences?.some(
        ({ controller }) => controller === true,
      );
      return found.metadata.uid !== owner.uid || isVersion !== true;
    } catch (error) {
      if (isNotFound(error)) return true;
      throw error;
    }
  }
}
