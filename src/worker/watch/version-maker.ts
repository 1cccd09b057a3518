import type { Logger } from 'pino';

import { raiseVersion } from '../../activities/deployment-config/raise-version.js';
import { isConflict } from '../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import type { ConfigKey, ConfigView } from '../../kubernetes/deployment-configs/config-view.js';

export interface VersionMakerOptions {
  readonly client: KubernetesClient;
  readonly view: ConfigView;
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
    while (state.isDirty && !signal.aborted) {
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

  private async make(key: ConfigKey): Promise<void> {
    const { client, view } = this.options;
    const config = view.get(key);
    if (config === undefined || config.metadata.deletionTimestamp !== undefined) return;
    const version = config.status?.latestVersion ?? 0;
    const latest = view.getController({ ...key, version });
    await raiseVersion(client, { config, latest, images: view.images() });
  }
}
