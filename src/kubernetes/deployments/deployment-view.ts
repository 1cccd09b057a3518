import type { Versions } from '../../contracts/advance.js';
import type {
  DeploymentApi,
  DeploymentObservation,
  ReplicaSetSummary,
  TemplateChange,
} from '../../domain/deployment/observation.js';
import { newestOf } from '../../domain/deployment/sets.js';
import { assert } from '../../domain/shared/assert.js';
import { matchesSelector } from '../../domain/shared/label-selector.js';
import { defined } from '../../domain/shared/optional.js';
import { ChangeBoard } from '../change-board.js';
import type { KubernetesClient } from '../client.js';
import type { Deployment, Pod, PodTemplate, ReplicaSet } from '../objects.js';
import { resources } from '../resources.js';
import { SharedWatch, type Change } from '../shared-watch.js';
import type { Sighting, WatchedObject } from '../wait-for-change.js';
import { compareTemplates } from './compare-templates.js';
import { TemplateDefaults, type DefaultedTemplate } from './default-template.js';
import { deploymentTypes, formatKey, type DeploymentKey } from './deployment-key.js';
import { findCrash } from './find-crash.js';
import { findNewSet, newSetName } from './new-set.js';
import { readDeployment, selectorOf } from './read-deployment.js';
import { readReplicaSet } from './read-replica-set.js';
import { rollsBackOnFailure } from './read-wishes.js';

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
  /** Started for the first Deployment whose pods have to be looked at; most clusters have none. */
  private pods: SharedWatch<Pod> | undefined;
  private readonly defaults: TemplateDefaults;
  private readonly board = new ChangeBoard<DeploymentKey>(formatKey);
  private signal: AbortSignal | undefined;

  constructor(
    private readonly client: KubernetesClient,
    private readonly options: DeploymentViewOptions,
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
      if (needsPods(key.api, deployment)) await this.watchPods();
    } while (this.get(key) !== deployment);
    return this.summarise(key, deployment, completed);
  }

  private summarise(
    key: DeploymentKey,
    deployment: Deployment,
    completed: DefaultedTemplate,
  ): DeploymentSighting {
    const template = completed.kind === 'valid' ? completed.template : undefined;
    const sets = this.ownSets(key.namespace, deployment);
    const newSet = findNewSet(sets, deployment, template);
    const name = newSet?.metadata.name ?? newSetName(deployment, template);
    const summary = readDeployment(key.api, deployment, name);
    const oldSets = sets.filter((set) => set !== newSet);
    const counts =
      summary.strategy.type === 'Recreate' ? { oldPods: this.podsOf(oldSets).length } : {};
    const crash =
      newSet !== undefined && summary.rollsBackOnFailure === true
        ? findCrash(this.podsOf([newSet]))
        : undefined;
    const summaries = sets.map((set) => ({
      ...readReplicaSet(set, deployment, set === newSet),
      ...(set === newSet ? defined({ crash }) : {}),
    }));
    return {
      observation: {
        observedAtMs: Date.now(),
        deployment: {
          ...summary,
          ...defined({
            problem: this.findClash(key) ?? summary.problem,
            templateProblem: findTemplateProblem(completed, newSet),
            templateChanges: findChanges(sets, summaries, template),
          }),
        },
        replicaSets: summaries,
        ...counts,
      },
      versions: { ...versionsOf(deployment, sets), ...counts },
    };
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
        : BigInt(found.deployment) >= BigInt(since.deployment);
    return (
      deploymentSeen &&
      Object.entries(since.replicaSets).every(([uid, version]) => {
        const current = found?.replicaSets[uid];
        return current === undefined
          ? this.replicaSets.hasSeen(version)
          : BigInt(current) >= BigInt(version);
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
    await Promise.race([this.pods.whenReady, aborted(signal)]);
  }

  private podsOf(sets: readonly ReplicaSet[]): Pod[] {
    const { pods } = this;
    if (pods === undefined) return [];
    return sets.flatMap(({ metadata }) => [...pods.controlledBy(metadata.uid ?? '')]);
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

/** A set that is there already can be scaled, whatever stands in the way of another one. */
function findTemplateProblem(
  completed: DefaultedTemplate,
  newSet: ReplicaSet | undefined,
): string | undefined {
  if (completed.kind === 'invalid') return completed.problem;
  return completed.kind === 'unknown' && newSet === undefined ? completed.problem : undefined;
}

/** Only asked while there is no set for the template: then a rollout is about to start. */
function findChanges(
  sets: readonly ReplicaSet[],
  summaries: readonly ReplicaSetSummary[],
  template: PodTemplate | undefined,
): TemplateChange[] | undefined {
  if (template === undefined || summaries.some((set) => set.isNew)) return undefined;
  const newest = newestOf(summaries)?.uid;
  const previous = sets.find(({ metadata }) => metadata.uid === newest)?.spec?.template;
  return previous === undefined ? undefined : compareTemplates(previous, template);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else
      signal.addEventListener(
        'abort',
        () => {
          resolve();
        },
        { once: true },
      );
  });
}

function keyOf(api: DeploymentApi, { metadata }: Deployment): DeploymentKey {
  return { api, namespace: metadata.namespace ?? '', name: metadata.name };
}

function versionsOf({ metadata }: Deployment, sets: readonly ReplicaSet[]): Versions {
  return {
    deployment: metadata.resourceVersion ?? '0',
    replicaSets: Object.fromEntries(
      sets.map((set) => [set.metadata.uid ?? '', set.metadata.resourceVersion ?? '0']),
    ),
  };
}
