import type { Versions } from '../../contracts/advance.js';
import type { DeploymentApi, DeploymentObservation } from '../../domain/deployment/observation.js';
import type { HookObservation } from '../../domain/hook/observation.js';
import { assert } from '../../domain/shared/assert.js';
import type { HookMoment } from '../../domain/shared/hook.js';
import { matchesSelector } from '../../domain/shared/label-selector.js';
import { ChangeBoard } from '../change-board.js';
import type { KubernetesClient } from '../client.js';
import type { HookOwner } from '../hooks/hook-owner.js';
import { watchHook } from '../hooks/watch-hook.js';
import { isAsNew } from '../object-versions.js';
import type { Deployment, Pod, PodTemplate, ReplicaSet } from '../objects.js';
import { resources } from '../resources.js';
import { SharedWatch, type Change } from '../shared-watch.js';
import type { Sighting, WatchedObject } from '../wait-for-change.js';
import type { WatchedPods } from '../watched-pods.js';
import { TemplateDefaults, type DefaultedTemplate } from './default-template.js';
import { deploymentTypes, formatKey, type DeploymentKey } from './deployment-key.js';
import { hookOwnerOfSet, isSetHookWanted } from './hook-owner-of-set.js';
import { findNewSet } from './new-set.js';
import { observeDeployment } from './observe-deployment.js';
import { selectorOf } from './read-deployment.js';
import { rollsBackOnFailure } from './read-wishes.js';

/** One set of a Deployment. */
export interface SetKey extends DeploymentKey {
  readonly replicaSet: string;
}

/** One of its hooks. */
export interface SetHookKey extends SetKey {
  readonly moment: HookMoment;
}

export type DeploymentSighting = Sighting<DeploymentObservation>;

export interface DeploymentViewOptions {
  /** Whether Deployments of `apps/v1` are ours too. */
  readonly dropIn: boolean;
  readonly onInterruption?: (error: unknown) => void;
}

/**
 * A cluster's Deployments with all that belongs to them, kept up to date in memory by one watch for
 * each kind.
 */
export class DeploymentView {
  private readonly deployments: ReadonlyMap<DeploymentApi, SharedWatch<Deployment>>;
  private readonly replicaSets: SharedWatch<ReplicaSet>;
  private readonly defaults: TemplateDefaults;
  private readonly board = new ChangeBoard<DeploymentKey>(formatKey);
  private signal: AbortSignal | undefined;

  constructor(
    client: KubernetesClient,
    /** Watched by whoever makes it. */
    private readonly pods: WatchedPods,
    options: DeploymentViewOptions,
  ) {
    const apis: DeploymentApi[] = options.dropIn
      ? ['apps/v1', 'slipway.dev/v1alpha1']
      : ['slipway.dev/v1alpha1'];
    this.deployments = new Map(
      apis.map((api) => [api, new SharedWatch<Deployment>(client, deploymentTypes[api], options)]),
    );
    this.replicaSets = new SharedWatch<ReplicaSet>(client, resources.replicaSets, options);
    this.defaults = new TemplateDefaults(client);
  }

  /** Watches until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    this.signal = signal;
    signal.addEventListener('abort', () => {
      this.board.wakeAll();
    });
    const runs = [this.replicaSets.run(signal)];
    this.replicaSets.subscribe((change) => {
      this.announceReplicaSet(change);
    });
    this.pods.live.subscribe((change) => {
      this.announcePod(change);
    });
    this.pods.runOnce.watch.subscribe((change) => {
      this.announceHook(change);
    });
    for (const [api, watch] of this.deployments) {
      watch.subscribe(({ kind, object }) => {
        if (kind === 'deleted') this.defaults.forget(object);
        this.board.announce(keyOf(api, object));
      });
      runs.push(watch.run(signal));
    }
    await Promise.all(runs);
  }

  /** It sees nothing any more, so there is nothing to wait for either. */
  get isStopped(): boolean {
    return this.signal?.aborted === true;
  }

  async whenReady(): Promise<void> {
    const watches = [this.replicaSets, ...this.deployments.values()];
    await Promise.all(watches.map((watch) => watch.whenReady));
  }

  *keys(): Generator<DeploymentKey> {
    for (const [api, watch] of this.deployments) {
      for (const deployment of watch.all()) yield keyOf(api, deployment);
    }
  }

  /** Calls back with each Deployment that changed, itself or in what belongs to it. */
  onChange(listener: (key: DeploymentKey) => void): () => void {
    return this.board.onChange(listener);
  }

  /** One Deployment, for whoever waits for it. */
  watched(key: DeploymentKey): WatchedObject<DeploymentObservation> {
    const isStopped = (): boolean => this.isStopped;
    return {
      get isStopped() {
        return isStopped();
      },
      onChange: (listener) => this.board.onChangeOf(key, listener),
      observe: () => this.observe(key),
      isCaughtUp: (sighting, since) => this.isCaughtUp(key, sighting, since),
    };
  }

  /** One hook of one of its sets, for whoever runs it. */
  watchedHook(key: SetHookKey): WatchedObject<HookObservation> {
    const source = {
      isStopped: () => this.isStopped,
      onChange: (listener: () => void) => this.board.onChangeOf(key, listener),
      find: () => this.findHookOwner(key),
      isWanted: () => this.isHookWanted(key),
      hasSeen: (version: string) => this.replicaSets.hasSeen(version),
    };
    return watchHook(source, this.pods.runOnce, key.moment);
  }

  /** The set that a hook belongs to; undefined when it is gone. */
  findHookOwner(key: SetKey): HookOwner | undefined {
    const set = this.getReplicaSet(key.namespace, key.replicaSet);
    return set && hookOwnerOfSet(key.api, set, this.get(key));
  }

  private async isHookWanted(key: SetHookKey): Promise<boolean> {
    const deployment = this.get(key);
    const set = this.getReplicaSet(key.namespace, key.replicaSet);
    if (deployment === undefined || set === undefined) return false;
    const completed = await this.defaults.complete(key.api, deployment);
    const template = completed.kind === 'valid' ? completed.template : undefined;
    const newSet = findNewSet(this.ownSets(key.namespace, deployment), deployment, template);
    return isSetHookWanted(key.moment, deployment, set, newSet);
  }

  /** Calls back when a set is gone. */
  onLoss(listener: () => void): () => void {
    return this.replicaSets.subscribe(({ kind }) => {
      if (kind === 'deleted') listener();
    });
  }

  get({ api, namespace, name }: DeploymentKey): Deployment | undefined {
    return this.deployments.get(api)?.get(namespace, name);
  }

  getReplicaSet(namespace: string, name: string): ReplicaSet | undefined {
    return this.replicaSets.get(namespace, name);
  }

  /** The template with the apiserver's defaults, as a new ReplicaSet would have it. */
  async templateOf(key: DeploymentKey, deployment: Deployment): Promise<PodTemplate> {
    const completed = await this.defaults.complete(key.api, deployment);
    assert(completed.kind === 'valid', 'no plan creates a set from a template that is not valid');
    return completed.template;
  }

  /** What stands there now; undefined when there is no such Deployment. */
  async observe(key: DeploymentKey): Promise<DeploymentSighting | undefined> {
    let deployment: Deployment | undefined;
    let completed: DefaultedTemplate;
    // What is awaited here may take a while; a look that was overtaken by a change is taken again.
    do {
      deployment = this.get(key);
      if (deployment === undefined) return undefined;
      completed = await this.defaults.complete(key.api, deployment);
      if (needsPods(key.api, deployment)) await this.beginPods();
    } while (this.get(key) !== deployment);
    if (completed.kind === 'ending') return undefined;
    return observeDeployment({
      api: key.api,
      deployment,
      completed,
      sets: this.ownSets(key.namespace, deployment),
      clash: this.findClash(key),
      podsOf: (sets) => this.pods.live.of(sets),
    });
  }

  /** Both APIs' Deployments of one name would share a workflow and, likely, their pods. */
  private findClash({ api, namespace, name }: DeploymentKey): string | undefined {
    if (api === 'apps/v1' || this.get({ api: 'apps/v1', namespace, name }) === undefined) {
      return undefined;
    }
    return `metadata.name: the apps/v1 Deployment ${name} of this namespace has the same name`;
  }

  private isCaughtUp(
    key: DeploymentKey,
    sighting: DeploymentSighting | undefined,
    since: Versions,
  ): boolean {
    const found = sighting?.versions;
    const deploymentSeen =
      found === undefined
        ? this.deployments.get(key.api)?.hasSeen(since.deployment) === true
        : isAsNew(found.deployment, since.deployment);
    return (
      deploymentSeen &&
      Object.entries(since.replicaSets).every(([uid, version]) => {
        const current = found?.replicaSets[uid];
        return current === undefined
          ? this.replicaSets.hasSeen(version)
          : isAsNew(current, version);
      })
    );
  }

  /** Those it controls, and those without controller that match its selector. */
  private ownSets(namespace: string, deployment: Deployment): ReplicaSet[] {
    const selector = selectorOf(deployment);
    const orphans = [...this.replicaSets.uncontrolledIn(namespace)].filter(
      ({ metadata }) =>
        metadata.deletionTimestamp === undefined &&
        matchesSelector(selector, metadata.labels ?? {}),
    );
    return [...this.replicaSets.controlledBy(deployment.metadata.uid ?? ''), ...orphans];
  }

  private async beginPods(): Promise<void> {
    if (this.signal !== undefined) await this.pods.live.begin(this.signal);
  }

  private announceReplicaSet(change: Change<ReplicaSet>): void {
    const { namespace = '' } = change.object.metadata;
    const states = change.kind === 'set' ? [change.object, change.previous] : [change.object];
    const keys = new Map<string, DeploymentKey>();
    for (const set of states) {
      if (set === undefined) continue;
      for (const key of this.keysOf(namespace, set)) keys.set(formatKey(key), key);
    }
    for (const key of keys.values()) this.board.announce(key);
  }

  private announcePod({ object: pod }: Change<Pod>): void {
    const { namespace = '' } = pod.metadata;
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
    const set = owner === undefined ? undefined : this.replicaSets.get(namespace, owner.name);
    if (set === undefined) return;
    for (const key of this.keysOf(namespace, set)) this.board.announce(key);
  }

  /** A hook's pod belongs to a set, but is not counted by it. */
  private announceHook({ object: { metadata } }: Change<Pod>): void {
    const { namespace = '', ownerReferences = [] } = metadata;
    for (const { kind, name } of ownerReferences) {
      const set = kind === 'ReplicaSet' ? this.getReplicaSet(namespace, name) : undefined;
      if (set === undefined) continue;
      for (const key of this.keysOf(namespace, set)) this.board.announce(key);
    }
  }

  /** The Deployment that controls a set; for one without controller, all that might adopt it. */
  private *keysOf(namespace: string, set: ReplicaSet): Generator<DeploymentKey> {
    const owner = set.metadata.ownerReferences?.find(({ controller }) => controller === true);
    for (const [api, watch] of this.deployments) {
      if (owner === undefined) {
        for (const deployment of watch.inNamespace(namespace)) {
          const labels = set.metadata.labels ?? {};
          if (matchesSelector(selectorOf(deployment), labels)) yield keyOf(api, deployment);
        }
      } else if (owner.kind === 'Deployment' && owner.apiVersion === api) {
        yield { api, namespace, name: owner.name };
      }
    }
  }
}

/** A Recreate waits for pods to go; an automatic rollback looks for those that crash. */
function needsPods(api: DeploymentApi, deployment: Deployment): boolean {
  return deployment.spec?.strategy?.type === 'Recreate' || rollsBackOnFailure(api, deployment);
}

function keyOf(api: DeploymentApi, { metadata }: Deployment): DeploymentKey {
  return { api, namespace: metadata.namespace ?? '', name: metadata.name };
}
