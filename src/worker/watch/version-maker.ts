import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';

import type { EventRecorder } from '../../activities/events.js';
import { raiseVersion } from '../../activities/deployment-config/raise-version.js';
import { tellWaiting } from '../../activities/deployment-config/tell-waiting.js';
import { gatherMs } from '../../domain/deployment-config/gather-causes.js';
import { isConflict } from '../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import type { ImageRepository } from '../../kubernetes/image-repositories/objects.js';
import type { ConfigKey, ConfigView } from '../../kubernetes/deployment-configs/config-view.js';
import { readRequest } from '../../kubernetes/deployment-configs/read-request.js';
import { readTriggers } from '../../kubernetes/deployment-configs/read-triggers.js';

export interface VersionMakerOptions {
  readonly cluster: string;
  readonly client: KubernetesClient;
  readonly view: ConfigView;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly signal: AbortSignal;
}

/**
 * Makes a config's next version as soon as there is a cause for one, also while another is under way:
 * that one's run then sees that it was overtaken.
 */
export class VersionMaker {
  /** Configs that are being looked at, and whether they have changed since. */
  private readonly busy = new Map<string, { isDirty: boolean }>();
  private unsubscribe: () => void = () => undefined;

  constructor(private readonly options: VersionMakerOptions) {}

  start(): void {
    const { view } = this.options;
    this.unsubscribe = view.onChange((key) => {
      this.consider(key);
    });
    for (const key of view.keys()) this.consider(key);
  }

  stop(): void {
    this.unsubscribe();
  }

  private consider(key: ConfigKey): void {
    const id = `${key.namespace}/${key.name}`;
    const known = this.busy.get(id);
    if (known !== undefined) {
      known.isDirty = true;
      return;
    }
    const state = { isDirty: true };
    this.busy.set(id, state);
    void this.lookUntilClean(key, state).finally(() => this.busy.delete(id));
  }

  private async lookUntilClean(key: ConfigKey, state: { isDirty: boolean }): Promise<void> {
    const { signal, logger } = this.options;
    const isStopped = (): boolean => signal.aborted;
    while (state.isDirty) {
      await delay(this.calmMs(key), undefined, { signal }).catch(() => undefined);
      if (isStopped()) return;
      state.isDirty = false;
      try {
        await this.make(key);
      } catch (error) {
        // Somebody else wrote first: what they wrote comes by the watch, and is looked at then.
        if (isConflict(error)) continue;
        logger.warn({ err: error, ...key }, 'could not make a version of a DeploymentConfig');
      }
    }
  }

  private calmMs(key: ConfigKey): number {
    const config = this.options.view.get(key);
    if (config === undefined) return 0;
    return gatherMs({
      latestVersion: config.status?.latestVersion ?? 0,
      triggers: readTriggers(config.spec, key.namespace),
      isAsked: readRequest(config) !== undefined,
    });
  }

  private async make(key: ConfigKey): Promise<void> {
    const { cluster, client, view, events } = this.options;
    const config = view.get(key);
    if (config === undefined || config.metadata.deletionTimestamp !== undefined) return;
    const version = config.status?.latestVersion ?? 0;
    const latest = view.getController({ ...key, version });
    const { isWritten, waitsFor } = await raiseVersion(client, {
      config,
      latest,
      images: view.images(),
    });
    // What was written comes back by the watch, and is looked at again.
    if (isWritten) return;
    const findRepository = (namespace: string, name: string): ImageRepository | undefined =>
      view.repositories.get(namespace, name);
    await tellWaiting({ cluster, client, events, config, waitsFor, findRepository });
  }
}
