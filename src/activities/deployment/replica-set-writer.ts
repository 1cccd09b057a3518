import type { DeploymentRef } from '../../contracts/deployment.js';
import type { Action, RolloutMemory, ToldStay } from '../../domain/deployment/plan.js';
import { defined } from '../../domain/shared/optional.js';
import type { Revision } from '../../domain/shared/revision.js';
import { isAlreadyExists, isNotFound } from '../../kubernetes/api-error.js';
import { ApiError } from '../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import {
  annotations,
  appendRevision,
  handedDownAnnotations,
  revisionAnnotation,
} from '../../kubernetes/deployments/annotations.js';
import {
  buildReplicaSet,
  controllerReference,
  isSameSet,
  memoryAnnotationValues,
  sizeAnnotationValues,
} from '../../kubernetes/deployments/build-replica-set.js';
import { deploymentTypes } from '../../kubernetes/deployments/deployment-key.js';
import { writeSetHooks } from '../../kubernetes/deployments/set-hooks.js';
import type { DeploymentView } from '../../kubernetes/deployments/deployment-view.js';
import {
  resetAllHooks,
  resetFailedHooks,
  resetStoppedHooks,
} from '../../kubernetes/hooks/hook-record.js';
import { beginAnnotation, tellAnnotation } from '../../kubernetes/deployments/stays.js';
import type { Deployment, OwnerReference, ReplicaSet } from '../../kubernetes/objects.js';
import { resources } from '../../kubernetes/resources.js';
import { toWritten, type Written } from '../carry-out.js';
import type { EventRecorder } from '../events.js';
import { expectingMatch } from '../expecting-match.js';

interface Subject {
  readonly client: KubernetesClient;
  readonly view: DeploymentView;
  readonly events: EventRecorder;
  readonly ref: DeploymentRef;
  readonly deployment: Deployment;
}

/** Turns each action on a ReplicaSet into one call that is harmless when it is made twice. */
export class ReplicaSetWriter {
  constructor(private readonly subject: Subject) {}

  async write(action: Action): Promise<Written | undefined> {
    switch (action.kind) {
      case 'createReplicaSet':
        return this.create(action);
      case 'scaleReplicaSet':
        return this.scale(action);
      case 'syncReplicaSet':
        return this.sync(action);
      case 'adoptReplicaSet':
        return this.adopt(action);
      case 'deleteReplicaSet':
        return this.delete(action);
      case 'releaseReplicaSet':
        return this.release(action);
      case 'markFailed':
        return this.markFailed(action);
      case 'markComplete':
        return this.annotate(action, {
          [annotations.lastComplete]: action.name,
          [annotations.failed]: null,
        });
      case 'resetHooks':
        return this.resetHooks(action);
      case 'tellStay':
        return this.annotate(action, {});
      case 'recordRevision':
      case 'clearPauseNotes':
      case 'clearRollbackNote':
      case 'rollBack':
      case 'clearRollback':
      case 'announce':
        return undefined;
    }
  }

  private async create(action: Extract<Action, { kind: 'createReplicaSet' }>): Promise<Written> {
    const { client, view, ref, deployment } = this.subject;
    const template = await view.templateOf(ref, deployment);
    const built = buildReplicaSet(ref, deployment, template, action);
    const wanted = withAnnotations(built, this.begin(action, built));
    try {
      const made = await client.create(resources.replicaSets, wanted, { brief: true });
      if (action.replicas > 0) this.announceScaling(action.name, 0, action.replicas);
      return toWritten(made);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const existing = await client.get<ReplicaSet>(
        resources.replicaSets,
        ref.namespace,
        action.name,
      );
      if (isSameSet(existing, template, deployment)) return toWritten(existing);
      await this.raiseCollisionCount();
      throw error;
    }
  }

  /** Another set has that very name: the next look computes another one. */
  private async raiseCollisionCount(): Promise<void> {
    const { client, ref, deployment } = this.subject;
    const body = {
      metadata: { resourceVersion: deployment.metadata.resourceVersion },
      status: { collisionCount: (deployment.status?.collisionCount ?? 0) + 1 },
    };
    const type = deploymentTypes[ref.api];
    await client.patch(type, ref.namespace, ref.name, 'merge', body, { subresource: 'status' });
  }

  private async scale(action: Extract<Action, { kind: 'scaleReplicaSet' }>): Promise<Written> {
    const current = await this.read(action.name);
    const patch = [
      { op: 'test', path: '/metadata/uid', value: action.uid },
      { op: 'test', path: '/spec/replicas', value: action.from },
      { op: 'replace', path: '/spec/replicas', value: action.to },
      ...(current.metadata.annotations === undefined ? addAnnotations : []),
      ...Object.entries(sizeAnnotationValues(action.sizes)).map(([key, value]) => ({
        op: 'add',
        path: `/metadata/annotations/${key.replaceAll('/', '~1')}`,
        value,
      })),
    ];
    const written = await expectingMatch(this.patch(action.name, 'json', patch));
    if (action.from !== action.to) this.announceScaling(action.name, action.from, action.to);
    return toWritten(written);
  }

  private async sync(action: Extract<Action, { kind: 'syncReplicaSet' }>): Promise<Written> {
    const { deployment } = this.subject;
    const current = await this.read(action.name);
    const previous = revisionAnnotation(current.metadata.annotations);
    const history = current.metadata.annotations?.[annotations.revisionHistory];
    const moved = previous !== undefined && previous !== action.revision;
    // Whoever gave the set its number has renewed its hooks, too.
    const renews = action.renewsHooks === true && previous !== action.revision;
    const body = {
      metadata: {
        uid: action.uid,
        ...(renews ? asRead(current) : {}),
        annotations: {
          ...handedDownAnnotations(deployment.metadata.annotations),
          [annotations.revision]: String(action.revision),
          ...(action.memory === undefined ? {} : memoryAnnotationValues(action.memory)),
          ...(renews ? this.renewHooks(current) : {}),
          ...this.begin(action, current),
          ...(moved ? { [annotations.revisionHistory]: appendRevision(history, previous) } : {}),
        },
      },
      spec: { minReadySeconds: deployment.spec?.minReadySeconds ?? 0 },
    };
    return toWritten(await this.patch(action.name, 'merge', body));
  }

  /** For another rollout of the same set: hooks as they are now, none of which has run yet. */
  private renewHooks(set: ReplicaSet): Record<string, string | null> {
    const { deployment } = this.subject;
    return { ...resetAllHooks(set), [annotations.hooks]: writeSetHooks(deployment) ?? null };
  }

  private async resetHooks(action: Extract<Action, { kind: 'resetHooks' }>): Promise<Written> {
    const { name, uid, only } = action;
    const current = await this.read(name);
    const marks = {
      ...(only === 'stopped' ? resetStoppedHooks(current) : resetFailedHooks(current)),
      [annotations.retry]: null,
      [annotations.failed]: null,
    };
    const metadata = { uid, ...asRead(current), annotations: marks };
    return toWritten(await this.patch(name, 'merge', { metadata }));
  }

  private adopt(action: Extract<Action, { kind: 'adoptReplicaSet' }>): Promise<Written> {
    const { ref, deployment } = this.subject;
    return this.changeOwners(action, (owners) => [...owners, controllerReference(ref, deployment)]);
  }

  private release(action: Extract<Action, { kind: 'releaseReplicaSet' }>): Promise<Written> {
    const { uid } = this.subject.deployment.metadata;
    return this.changeOwners(action, (owners) => owners.filter((owner) => owner.uid !== uid));
  }

  private async changeOwners(
    { name, uid }: { readonly name: string; readonly uid: string },
    change: (owners: readonly OwnerReference[]) => readonly OwnerReference[],
  ): Promise<Written> {
    await this.checkStillThere();
    const { ownerReferences = [], resourceVersion } = (await this.read(name)).metadata;
    const metadata = { uid, resourceVersion, ownerReferences: change(ownerReferences) };
    return toWritten(await this.patch(name, 'merge', { metadata }));
  }

  /** Only as it was read: it may have been tried again since, and what reverts it must not begin then. */
  private async markFailed(action: Extract<Action, { kind: 'markFailed' }>): Promise<Written> {
    const bound = asRead(await this.read(action.name));
    return this.annotate(action, { [annotations.failed]: action.message }, bound);
  }

  /** Together with what became of the set's rollout, where that is to be told. */
  private async annotate(
    { name, uid, told }: { readonly name: string; readonly uid: string; readonly told?: ToldStay },
    marks: Readonly<Record<string, string | null>>,
    bound: { readonly resourceVersion?: string } = {},
  ): Promise<Written> {
    const notes =
      told === undefined
        ? marks
        : { ...marks, ...tellAnnotation(await this.read(name), told.revision, told.news) };
    const metadata = { uid, ...bound, annotations: notes };
    return toWritten(await this.patch(name, 'merge', { metadata }));
  }

  /** The note that a set's rollout begins; plans of older workers have none. */
  private begin(
    { revision, memory }: { readonly revision: Revision; readonly memory?: RolloutMemory },
    set: ReplicaSet,
  ): Record<string, string> {
    if (memory?.beginning === undefined) return {};
    const { beginning, triggers } = memory;
    const { view, ref } = this.subject;
    const before = beginning.from && view.getReplicaSet(ref.namespace, beginning.from.name);
    return beginAnnotation(set, before, { revision, triggers, beginning });
  }

  private async delete(
    action: Extract<Action, { kind: 'deleteReplicaSet' }>,
  ): Promise<Written | undefined> {
    const { client, ref } = this.subject;
    try {
      await client.delete(resources.replicaSets, ref.namespace, action.name, {
        propagationPolicy: 'Background',
        preconditions: { uid: action.uid },
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    return undefined;
  }

  /**
   * Asks the apiserver itself, because a watch may lag: a set that a deletion has just let go must not
   * be taken back, or the garbage collector removes it and its pods.
   */
  private async checkStillThere(): Promise<void> {
    const { client, ref, deployment } = this.subject;
    const { metadata } = await client.get(deploymentTypes[ref.api], ref.namespace, ref.name);
    if (metadata.uid === deployment.metadata.uid && metadata.deletionTimestamp === undefined)
      return;
    throw new ApiError(409, 'Conflict', `Deployment ${ref.name} is being deleted`);
  }

  private patch(name: string, type: 'json' | 'merge', body: unknown): Promise<ReplicaSet> {
    const { client, ref } = this.subject;
    const brief = { brief: true };
    return client.patch(resources.replicaSets, ref.namespace, name, type, body, brief);
  }

  private async read(name: string): Promise<ReplicaSet> {
    const { client, view, ref } = this.subject;
    return (
      view.getReplicaSet(ref.namespace, name) ??
      (await client.get<ReplicaSet>(resources.replicaSets, ref.namespace, name))
    );
  }

  private announceScaling(set: string, from: number, to: number): void {
    const { events, ref, deployment } = this.subject;
    const about = { cluster: ref.cluster, type: deploymentTypes[ref.api], object: deployment };
    events.recordSize(about, { set, from, to });
  }
}

/** A write that comes late must not undo what has become of a set since. */
const asRead = ({ metadata: { resourceVersion } }: ReplicaSet): { resourceVersion?: string } =>
  defined({ resourceVersion });

/** A set that we adopted may have no annotations at all yet, and JSON patch adds no path on its way. */
const addAnnotations = [
  { op: 'test', path: '/metadata/annotations', value: null },
  { op: 'add', path: '/metadata/annotations', value: {} },
];

const withAnnotations = (set: ReplicaSet, more: Record<string, string>): ReplicaSet => ({
  ...set,
  metadata: { ...set.metadata, annotations: { ...set.metadata.annotations, ...more } },
});
