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
import type { KubernetesObject, Pod } from '../objects.js';
import { resources } from '../resources.js';
import { readHookObservation } from '../hooks/read-hook-observation.js';
import { readRunOncePod } from '../run-once-pods/read-run-once-pod.js';
import { RunOncePods } from '../run-once-pods/run-once-pods.js';
import { SharedWatch, type Change } from '../shared-watch.js';
import type { Sighting, WatchedObject } from '../wait-for-change.js';
import { configAnnotations } from './annotations.js';
import { controllerName, decodeConfig } from './build-controller.js';
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
  private readonly runOncePods: RunOncePods;
  /** Started for the first config whose pods have to be looked at. */
  private pods: SharedWatch<Pod> | undefined;
  private readonly board = new ChangeBoard<ConfigKey>(
    ({ namespace, name }) => `${namespace}/${name}`,
  );
  private signal: AbortSignal | undefined;

  constructor(
    private readonly client: KubernetesClient,
    private readonly options: ConfigViewOptions = {},
  ) {
    this.configs = new SharedWatch(client, resources.deploymentConfigs, options);
    this.controllers = new SharedWatch(client, resources.replicationControllers, options);
    this.repositories = new SharedWatch(client, resources.imageRepositories, options);
    this.runOncePods = new RunOncePods(client, options);
  }

  private get watches() {
    const { configs, controllers, repositories, runOncePods } = this;
    return [configs, controllers, repositories, runOncePods.watch] as const;
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
    this.runOncePods.watch.subscribe((change) => {
      this.announcePod(change);
    });
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
    const isStopped = (): boolean => this.isStopped;
    return {
      get isStopped() {
        return isStopped();
      },
      onChange: (listener) => this.board.onChangeOf(key, listener),
      observe: () => this.observeHook(key),
      isCaughtUp: (sighting, since) => this.isHookCaughtUp(sighting, since),
    };
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
    if (isRecreated || regions.length > 0) await this.watchPods();
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
          const uid = controller.metadata.uid ?? '';
          return readController(controller, deployer && readRunOncePod(deployer, uid)) ?? [];
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

  /** What stands there of a hook; undefined when its version is gone. */
  private async observeHook(key: HookKey): Promise<Sighting<HookObservation> | undefined> {
    const controller = this.getController(key);
    if (controller === undefined) return undefined;
    const pods = await this.runOncePods.ofHook(controller, key.moment);
    const config = this.get(key);
    const observation = readHookObservation({ controller, config, pods, key });
    if (observation === undefined) return undefined;
    return {
      observation,
      versions: {
        deployment: controller.metadata.resourceVersion ?? '0',
        replicaSets: versionsOf(pods),
      },
    };
  }

  private isHookCaughtUp(
    sighting: Sighting<HookObservation> | undefined,
    since: Versions,
  ): boolean {
    const found = sighting?.versions;
    if (found === undefined) return this.controllers.hasSeen(since.deployment);
    return (
      isAsNew(found.deployment, since.deployment) &&
      Object.entries(since.replicaSets).every(([uid, version]) => {
        const current = found.replicaSets[uid];
        return current === undefined
          ? this.runOncePods.watch.hasSeen(version)
          : isAsNew(current, version);
      })
    );
  }

  /** Pods that run once and whose end has to be noted before they may go. */
  heldPods(): Iterable<Pod> {
    return this.runOncePods.held();
  }

  /** Calls back when a run-once pod changes, or something that one may belong to is gone. */
  onRunOnceChange(listener: () => void): () => void {
    const ofPods = this.runOncePods.watch.subscribe(listener);
    const ofControllers = this.controllers.subscribe(({ kind }) => {
      if (kind === 'deleted') listener();
    });
    return () => {
      ofPods();
      ofControllers();
    };
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
    return readRegion(region, [...(this.pods?.controlledBy(region.metadata.uid ?? '') ?? [])]);
  }

  /** The pod that carries a version out, where its strategy has one. */
  private async findDeployer(controller: ReplicationController): Promise<Pod | undefined> {
    const { namespace = '', name, annotations = {} } = controller.metadata;
    if (readStrategy(decodeConfig(controller)?.spec.strategy).type !== 'Custom') return undefined;
    const phase = annotations[configAnnotations.phase];
    const isExpected = phase === 'Pending' || phase === 'Running';
    return this.runOncePods.find(namespace, deployerName(name), isExpected);
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
          ? this.controllers.hasSeen(version) || this.runOncePods.watch.hasSeen(version)
          : isAsNew(current, version);
      })
    );
  }

  private countOldPods(
    controllers: readonly ReplicationController[],
    { name, version }: VersionKey,
  ): number {
    const { pods } = this;
    if (pods === undefined) return 0;
    const old = controllers.filter(
      ({ metadata }) => metadata.name !== controllerName(name, version),
    );
    return old.flatMap(({ metadata }) => [...pods.controlledBy(metadata.uid ?? '')]).length;
  }

  private async watchPods(): Promise<void> {
    const { signal } = this;
    if (signal === undefined) return;
    if (this.pods === undefined) {
      this.pods = new SharedWatch<Pod>(this.client, resources.pods, {
        ...this.options,
        fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed',
      });
      this.pods.subscribe((change) => {
        this.announcePod(change);
      });
      void this.pods.run(signal);
    }
    await this.pods.whenReady;
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

const isAsNew = (found: string, since: string): boolean => BigInt(found) >= BigInt(since);

/** The resource versions of what belongs to an object, by uid. */
const versionsOf = (objects: readonly KubernetesObject[]): Record<string, string> =>
  Object.fromEntries(
    objects.map(({ metadata }) => [metadata.uid ?? '', metadata.resourceVersion ?? '0']),
  );
