import type { Versions } from '../../contracts/advance.js';
import type {
  RegionSummary,
  VersionObservation,
} from '../../domain/deployment-config/observation.js';
import { deployerName } from '../../domain/deployment-config/plan-deployer.js';
import type { HookObservation } from '../../domain/hook/observation.js';
import type { HookMoment } from '../../domain/shared/hook.js';
import { ChangeBoard } from '../change-board.js';
import type { KubernetesClient } from '../client.js';
import type { ImageRepository } from '../image-repositories/objects.js';
import { readImages } from '../image-repositories/read-images.js';
import type { Pod } from '../objects.js';
import { resources } from '../resources.js';
import type { HookOwner } from '../hooks/hook-owner.js';
import { watchHook } from '../hooks/watch-hook.js';
import { isAsNew, versionsOf } from '../object-versions.js';
import { readRunOncePod } from '../run-once-pods/read-run-once-pod.js';
import { SharedWatch, type Change } from '../shared-watch.js';
import type { Sighting, WatchedObject } from '../wait-for-change.js';
import type { WatchedPods } from '../watched-pods.js';
import { configAnnotations } from './annotations.js';
import { controllerName, decodeConfig } from './build-controller.js';
import { hookOwnerOfVersion, isVersionHookWanted } from './hook-owner-of-version.js';
import type { DeploymentConfig, ReplicationController } from './objects.js';
import { readConfig } from './read-config.js';
import { readController, readStrategy } from './read-controller.js';
import { readTriggers } from './read-triggers.js';
import { readRegion, regionOf } from './regions.js';

export interface ConfigKey {
  readonly namespace: string;
  readonly name: string;
}

/** One version of a config. */
export interface VersionKey extends ConfigKey {
  readonly version: number;
}

/** One of its hooks. */
export interface HookKey extends VersionKey {
  readonly moment: HookMoment;
}

export type VersionSighting = Sighting<VersionObservation>;

export interface ConfigViewOptions {
  readonly onInterruption?: (error: unknown) => void;
}

/**
 * A cluster's DeploymentConfigs with the ReplicationControllers that are their versions, kept up to date
 * in memory by one watch for each kind.
 */
export class ConfigView {
  private readonly configs: SharedWatch<DeploymentConfig>;
  private readonly controllers: SharedWatch<ReplicationController>;
  /** For those who keep them up to date, too. */
  readonly repositories: SharedWatch<ImageRepository>;
  private readonly board = new ChangeBoard<ConfigKey>(
    ({ namespace, name }) => `${namespace}/${name}`,
  );
  private signal: AbortSignal | undefined;

  constructor(
    client: KubernetesClient,
    /** Watched by whoever makes it. */
    private readonly pods: WatchedPods,
    options: ConfigViewOptions = {},
  ) {
    this.configs = new SharedWatch(client, resources.deploymentConfigs, options);
    this.controllers = new SharedWatch(client, resources.replicationControllers, options);
    this.repositories = new SharedWatch(client, resources.imageRepositories, options);
  }

  private get watches() {
    const { configs, controllers, repositories } = this;
    return [configs, controllers, repositories] as const;
  }

  /** Watches until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    this.signal = signal;
    signal.addEventListener('abort', () => {
      this.board.wakeAll();
    });
    this.configs.subscribe(({ object: { metadata } }) => {
      this.board.announce({ namespace: metadata.namespace ?? '', name: metadata.name });
    });
    this.controllers.subscribe((change) => {
      this.announceController(change);
    });
    this.repositories.subscribe(({ object }) => {
      this.announceRepository(object);
    });
    for (const pods of [this.pods.runOnce.watch, this.pods.live]) {
      pods.subscribe((change) => {
        this.announcePod(change);
      });
    }
    await Promise.all(this.watches.map((watch) => watch.run(signal)));
  }

  get isStopped(): boolean {
    return this.signal?.aborted === true;
  }

  async whenReady(): Promise<void> {
    await Promise.all(this.watches.map((watch) => watch.whenReady));
  }

  *keys(): Generator<ConfigKey> {
    for (const { metadata } of this.configs.all()) {
      yield { namespace: metadata.namespace ?? '', name: metadata.name };
    }
  }

  onChange(listener: (key: ConfigKey) => void): () => void {
    return this.board.onChange(listener);
  }

  /** One version, for whoever waits for it. */
  watched(key: VersionKey): WatchedObject<VersionObservation> {
    const isStopped = (): boolean => this.isStopped;
    return {
      get isStopped() {
        return isStopped();
      },
      onChange: (listener) => this.board.onChangeOf(key, listener),
      observe: () => this.observe(key),
      isCaughtUp: (sighting, since) => this.isCaughtUp(sighting, since),
    };
  }

  /** One hook of a version, for whoever runs it. */
  watchedHook(key: HookKey): WatchedObject<HookObservation> {
    const source = {
      isStopped: () => this.isStopped,
      onChange: (listener: () => void) => this.board.onChangeOf(key, listener),
      find: () => this.findHookOwner(key),
      isWanted: () =>
        Promise.resolve(isVersionHookWanted(key, this.get(key), this.getController(key))),
      hasSeen: (version: string) => this.controllers.hasSeen(version),
    };
    return watchHook(source, this.pods.runOnce, key.moment);
  }

  get({ namespace, name }: ConfigKey): DeploymentConfig | undefined {
    return this.configs.get(namespace, name);
  }

  getController({ namespace, name, version }: VersionKey): ReplicationController | undefined {
    return this.getControllerNamed(namespace, controllerName(name, version));
  }

  getControllerNamed(namespace: string, name: string): ReplicationController | undefined {
    return this.controllers.get(namespace, name);
  }

  /** The newest image of each tag that is followed, by its `namespace/repository:tag`. */
  images(): ReadonlyMap<string, string> {
    return readImages(this.repositories.all());
  }

  /** What stands there now; undefined when there is no such config. */
  async observe(key: VersionKey): Promise<VersionSighting | undefined> {
    const config = this.get(key);
    if (config === undefined) return undefined;
    const own = [...this.controllers.controlledBy(config.metadata.uid ?? '')];
    const regions = this.regionsOf(key);
    const isRecreated = this.isRecreated(config, key);
    if (isRecreated || regions.length > 0) await this.beginPods();
    const counts = isRecreated ? { oldPods: this.countOldPods(own, key) } : {};
    const deployers = await Promise.all(own.map((controller) => this.findDeployer(controller)));
    const belongings = [...own, ...regions, ...deployers.filter((pod) => pod !== undefined)];
    return {
      observation: {
        observedAtMs: Date.now(),
        config: readConfig(config),
        version: key.version,
        controllerName: controllerName(key.name, key.version),
        controllers: own.flatMap((controller, index) => {
          const deployer = deployers[index];
          const { metadata } = controller;
          return readController(controller, deployer && readRunOncePod(deployer, metadata)) ?? [];
        }),
        ...counts,
        ...(regions.length === 0
          ? {}
          : { regions: regions.map((region) => this.readRegion(region)) }),
      },
      versions: {
        deployment: config.metadata.resourceVersion ?? '0',
        replicaSets: versionsOf(belongings),
        ...counts,
      },
    };
  }

  /** The version that a hook belongs to; undefined when it is gone. */
  findHookOwner(key: VersionKey): HookOwner | undefined {
    const controller = this.getController(key);
    return controller && hookOwnerOfVersion(controller, this.get(key), key.name);
  }

  /** Calls back when a version is gone. */
  onLoss(listener: () => void): () => void {
    return this.controllers.subscribe(({ kind }) => {
      if (kind === 'deleted') listener();
    });
  }

  /** A version is rolled out by its own snapshot, whatever the config says by now. */
  private isRecreated({ spec }: DeploymentConfig, key: VersionKey): boolean {
    const own = this.getController(key);
    const { strategy } = (own && decodeConfig(own)?.spec) ?? spec;
    return readStrategy(strategy).type === 'Recreate';
  }

  private regionsOf({ namespace, name }: ConfigKey): readonly ReplicationController[] {
    const uncontrolled = [...this.controllers.uncontrolledIn(namespace)];
    return uncontrolled.filter((controller) => regionOf(controller) === name);
  }

  private readRegion(region: ReplicationController): RegionSummary {
    return readRegion(region, this.pods.live.of([region]));
  }

  /** The pod that carries a version out, where its strategy has one. */
  private async findDeployer(controller: ReplicationController): Promise<Pod | undefined> {
    const { namespace = '', name, annotations = {} } = controller.metadata;
    if (readStrategy(decodeConfig(controller)?.spec.strategy).type !== 'Custom') return undefined;
    const phase = annotations[configAnnotations.phase];
    const isExpected = phase === 'Pending' || phase === 'Running';
    return this.pods.runOnce.find(namespace, deployerName(name), isExpected);
  }

  private isCaughtUp(sighting: VersionSighting | undefined, since: Versions): boolean {
    const found = sighting?.versions;
    const isConfigSeen =
      found === undefined
        ? this.configs.hasSeen(since.deployment)
        : isAsNew(found.deployment, since.deployment);
    return (
      isConfigSeen &&
      Object.entries(since.replicaSets).every(([uid, version]) => {
        const current = found?.replicaSets[uid];
        // What is not there is gone, or is still to come and can't be made twice.
        return current === undefined
          ? this.controllers.hasSeen(version) || this.pods.runOnce.watch.hasSeen(version)
          : isAsNew(current, version);
      })
    );
  }

  private countOldPods(
    controllers: readonly ReplicationController[],
    { name, version }: VersionKey,
  ): number {
    const old = controllers.filter(
      ({ metadata }) => metadata.name !== controllerName(name, version),
    );
    return this.pods.live.of(old).length;
  }

  private async beginPods(): Promise<void> {
    if (this.signal !== undefined) await this.pods.live.begin(this.signal);
  }

  private announceController({ object }: Change<ReplicationController>): void {
    const { metadata } = object;
    const name = metadata.annotations?.[configAnnotations.configName] ?? regionOf(object);
    if (name !== undefined) this.board.announce({ namespace: metadata.namespace ?? '', name });
  }

  /** All configs that follow one of its tags. */
  private announceRepository({ metadata }: ImageRepository): void {
    for (const { metadata: own, spec } of this.configs.all()) {
      const namespace = own.namespace ?? '';
      const follows = readTriggers(spec, namespace).images.some(
        ({ source }) =>
          source.repository === metadata.name && source.namespace === metadata.namespace,
      );
      if (follows) this.board.announce({ namespace, name: own.name });
    }
  }

  /** A region's pods of before its first move don't say whose they are, and are waited for all the same. */
  private announcePod({ object: { metadata } }: Change<Pod>): void {
    const namespace = metadata.namespace ?? '';
    const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
    const region = owner && this.getControllerNamed(namespace, owner.name);
    const name =
      metadata.annotations?.[configAnnotations.configName] ?? (region && regionOf(region));
    if (name !== undefined) this.board.announce({ namespace, name });
  }
}
