import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';

import type { EventRecorder } from '../../activities/events.js';
import { answerFailure } from '../../activities/deployment-config/answer-failure.js';
import { generate, type ConfigScene } from '../../activities/deployment-config/generate.js';
import { raiseVersion, readWish } from '../../activities/deployment-config/raise-version.js';
import { tellSuspended } from '../../activities/deployment-config/tell-suspended.js';
import { tellWaiting } from '../../activities/deployment-config/tell-waiting.js';
import { gatherMs } from '../../domain/deployment-config/gather-causes.js';
import { isConflict, isNotFound } from '../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import type { ImageRepository } from '../../kubernetes/image-repositories/objects.js';
import type { ConfigKey, ConfigView } from '../../kubernetes/deployment-configs/config-view.js';
import { readBlock } from '../../kubernetes/deployment-configs/read-block.js';

export interface VersionMakerOptions {
  readonly cluster: string;
  readonly client: KubernetesClient;
  readonly view: ConfigView;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly signal: AbortSignal;
  /** How long to wait after a first failure; each further one in a row takes twice as long. */
  readonly firstRetryMs?: number;
}

const usualRetryMs = 500;
const longestRetryMs = 60_000;

/** Of a config that is being looked at. */
interface Attention {
  /** It has changed since. */
  isDirty: boolean;
  /** Called when it changes. */
  onChange: () => void;
}

/**
 * Makes a config's next version as soon as there is a cause for one, also while another is under way:
 * that one's run then sees that it was overtaken.
 */
export class VersionMaker {
  private readonly busy = new Map<string, Attention>();
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
      known.onChange();
      return;
    }
    const state: Attention = { isDirty: true, onChange: () => undefined };
    this.busy.set(id, state);
    void this.lookUntilClean(key, id, state);
  }

  private async lookUntilClean(key: ConfigKey, id: string, state: Attention): Promise<void> {
    const { signal, logger, firstRetryMs = usualRetryMs } = this.options;
    const isStopped = (): boolean => signal.aborted;
    let retryMs = firstRetryMs;
    while (state.isDirty && !isStopped()) {
      try {
        await this.gather(key, state);
        if (isStopped()) break;
        state.isDirty = false;
        await this.make(key);
        retryMs = firstRetryMs;
      } catch (error) {
        // Somebody else wrote first: what they wrote comes by the watch, and is looked at then.
        if (isConflict(error) || isNotFound(error)) continue;
        logger.warn({ err: error, ...key }, 'could not make a version of a DeploymentConfig');
        // Nothing may change by itself that would bring another look.
        await delay(retryMs, undefined, { signal }).catch(() => undefined);
        retryMs = Math.min(retryMs * 2, longestRetryMs);
        state.isDirty = true;
      }
    }
    // In the same breath as the last look at `isDirty`, so that no change falls in between.
    this.busy.delete(id);
  }

  /** Lets what belongs together come together. */
  private async gather(key: ConfigKey, state: Attention): Promise<void> {
    const { signal } = this.options;
    const beganAtMs = Date.now();
    while (!signal.aborted) {
      const scene = this.sceneOf(key);
      if (scene === undefined) return;
      const { causes, triggers } = generate(scene, readWish(scene));
      const latestVersion = scene.config.status?.latestVersion ?? 0;
      const leftMs = beganAtMs + gatherMs(causes, { latestVersion, triggers }) - Date.now();
      if (leftMs <= 0) return;
      const changed = new AbortController();
      state.onChange = () => {
        changed.abort();
      };
      const either = AbortSignal.any([signal, changed.signal]);
      await delay(leftMs, undefined, { signal: either }).catch(() => undefined);
    }
  }

  private sceneOf(key: ConfigKey): ConfigScene | undefined {
    const { view } = this.options;
    const config = view.get(key);
    if (config === undefined || config.metadata.deletionTimestamp !== undefined) return undefined;
    const version = config.status?.latestVersion ?? 0;
    return { config, latest: view.getController({ ...key, version }), images: view.images() };
  }

  private async make(key: ConfigKey): Promise<void> {
    const { cluster, client, view, events } = this.options;
    const scene = this.sceneOf(key);
    if (scene === undefined) return;
    const { isWritten, waitsFor } = await raiseVersion(client, scene);
    // What was written comes back by the watch, and is looked at again.
    if (isWritten) return;
    const findRepository = (namespace: string, name: string): ImageRepository | undefined =>
      view.repositories.get(namespace, name);
    const { config } = scene;
    if (await tellSuspended({ cluster, client, events, config })) return;
    await tellWaiting({ cluster, client, events, config, waitsFor, findRepository });
    await this.answerFailure(key, scene);
  }

  /** A version that has failed may lead to another, if the config as it stands doesn't. */
  private async answerFailure(key: ConfigKey, scene: ConfigScene): Promise<void> {
    const { cluster, client, view, events } = this.options;
    const { config } = scene;
    if (config.spec.rollbackOnFailure !== true) return;
    if (readBlock(config) !== undefined || readWish(scene) !== undefined) return;
    const sighting = await view.observe({ ...key, version: config.status?.latestVersion ?? 0 });
    // What is newer than what the decision before was made from is looked at anew.
    if (sighting === undefined) return;
    if (sighting.versions.deployment !== config.metadata.resourceVersion) return;
    await answerFailure({ cluster, client, events, config, seen: sighting.observation });
  }
}
