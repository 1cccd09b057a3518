import { isHookOver, type HookMoment } from '../../domain/shared/hook.js';
import { isNotFound } from '../api-error.js';
import type { KubernetesClient } from '../client.js';
import { configAnnotations, deployerPodLabel } from '../deployment-configs/annotations.js';
import { hookType, hookTypeLabel } from '../hooks/annotations.js';
import { readHookRecord } from '../hooks/hook-record.js';
import type { KubernetesObject, Pod } from '../objects.js';
import { resources } from '../resources.js';
import { SharedWatch, type SharedWatchOptions } from '../shared-watch.js';
import { isHeld } from './hold.js';

/**
 * Deployers and hooks, also those that have ended. One that should be there and is not in the copy is asked
 * for: a copy that lags behind must not pass for a pod that is gone.
 */
export class RunOncePods {
  readonly watch: SharedWatch<Pod>;

  constructor(
    private readonly client: KubernetesClient,
    options: SharedWatchOptions,
  ) {
    this.watch = new SharedWatch(client, resources.pods, {
      ...options,
      labelSelector: deployerPodLabel,
    });
  }

  /** Those whose end has to be noted before they may go. */
  *held(): Generator<Pod> {
    for (const pod of this.watch.all()) if (isHeld(pod)) yield pod;
  }

  async find(namespace: string, name: string, isExpected: boolean): Promise<Pod | undefined> {
    const known = this.watch.get(namespace, name);
    return known !== undefined || !isExpected ? known : this.ask(namespace, name);
  }

  /** The pods of a hook's tries, as far as they are there. */
  async ofHook({ metadata }: KubernetesObject, moment: HookMoment): Promise<readonly Pod[]> {
    const { namespace = '', name } = metadata;
    const known = [...this.watch.inNamespace(namespace)].filter(
      ({ metadata: { labels, annotations } }) =>
        annotations?.[configAnnotations.deploymentName] === name &&
        labels?.[hookTypeLabel] === hookType(moment),
    );
    const record = readHookRecord({ metadata }, moment);
    const { pod } = record;
    const isMissing =
      pod !== undefined &&
      !isHookOver(record) &&
      !known.some((found) => found.metadata.name === pod);
    const missing = isMissing ? await this.ask(namespace, pod) : undefined;
    return missing === undefined ? known : [...known, missing];
  }

  private async ask(namespace: string, name: string): Promise<Pod | undefined> {
    try {
      return await this.client.get<Pod>(resources.pods, namespace, name);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
