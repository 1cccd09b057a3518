import type { DeploymentRef, Work } from '../../contracts/deployment.js';
import type { Action } from '../../domain/deployment/plan.js';
import type { Author } from '../../domain/shared/author.js';
import { formatSelector } from '../../domain/shared/label-selector.js';
import { defined } from '../../domain/shared/optional.js';
import { writeChangeNote } from '../../kubernetes/change-note.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import {
  annotations,
  restoredAnnotations,
  setOnly,
} from '../../kubernetes/deployments/annotations.js';
import { deploymentTypes } from '../../kubernetes/deployments/deployment-key.js';
import type { DeploymentView } from '../../kubernetes/deployments/deployment-view.js';
import { changedTemplate, selectorOf } from '../../kubernetes/deployments/read-deployment.js';
import { withoutHash } from '../../kubernetes/deployments/same-template.js';
import { findManager } from '../../kubernetes/find-author.js';
import type { Deployment, ReplicaSet } from '../../kubernetes/objects.js';
import { resources } from '../../kubernetes/resources.js';
import { statusPatch } from './status-patch.js';

interface Subject {
  readonly client: KubernetesClient;
  readonly view: DeploymentView;
  readonly ref: DeploymentRef;
  readonly deployment: Deployment;
}

/** Writes what a plan changes in the Deployment itself; each write names the version it builds on. */
export class DeploymentWriter {
  private version = '';

  constructor(private readonly subject: Subject) {}

  /** Resolves to the version after the writes. */
  async write({ actions, status, triggers }: Work, since: string): Promise<string> {
    this.version = since;
    const notes = annotationChanges(actions);
    if (Object.keys(notes).length > 0) await this.merge({ metadata: { annotations: notes } });
    if (status !== undefined) {
      // The scale subresource of our own kind reads the selector from the status.
      const { ref, deployment } = this.subject;
      const extra =
        ref.api === 'apps/v1'
          ? {}
          : {
              selector: formatSelector(selectorOf(deployment)),
              ...(triggers === undefined ? {} : { triggers }),
            };
      await this.merge(statusPatch(status, extra), 'status');
    }
    for (const action of actions) {
      if (action.kind === 'rollBack') await this.rollBack(action);
      if (action.kind === 'clearRollback') await this.merge(this.withoutRollback());
    }
    return this.version;
  }

  private async rollBack(action: Extract<Action, { kind: 'rollBack' }>): Promise<void> {
    const { client, view, ref, deployment } = this.subject;
    const set =
      view.getReplicaSet(ref.namespace, action.name) ??
      (await client.get<ReplicaSet>(resources.replicaSets, ref.namespace, action.name));
    const { [annotations.rollbackTo]: _wish, ...restored } = restoredAnnotations(
      deployment.metadata.annotations,
      set.metadata.annotations,
    );
    const template = withoutHash(set.spec?.template ?? {});
    const note =
      action.note === undefined
        ? writeChangeNote(findAsker(deployment), { ...changedTemplate(deployment), template })
        : { [annotations.rolledBack]: JSON.stringify(action.note) };
    const patch = [
      // With a version of its own, the apiserver refuses the patch as a conflict once that is outdated.
      { op: 'replace', path: '/metadata/resourceVersion', value: this.version },
      { op: 'replace', path: '/spec/template', value: template },
      { op: 'add', path: '/metadata/annotations', value: { ...restored, ...note } },
      ...(deployment.spec?.rollbackTo === undefined
        ? []
        : [{ op: 'remove', path: '/spec/rollbackTo' }]),
    ];
    const type = deploymentTypes[ref.api];
    const brief = { brief: true };
    this.note(await client.patch<Deployment>(type, ref.namespace, ref.name, 'json', patch, brief));
  }

  private withoutRollback(): { readonly metadata?: object; readonly spec?: object } {
    return this.subject.ref.api === 'apps/v1'
      ? { metadata: { annotations: { [annotations.rollbackTo]: null } } }
      : { spec: { rollbackTo: null } };
  }

  private async merge(
    body: { readonly metadata?: object; readonly spec?: object; readonly status?: object },
    subresource?: 'status',
  ): Promise<void> {
    const { client, ref } = this.subject;
    const versioned = { ...body, metadata: { ...body.metadata, resourceVersion: this.version } };
    const type = deploymentTypes[ref.api];
    const options = { brief: true, ...(subresource === undefined ? {} : { subresource }) };
    this.note(
      await client.patch<Deployment>(type, ref.namespace, ref.name, 'merge', versioned, options),
    );
  }

  private note({ metadata }: Deployment): void {
    this.version = metadata.resourceVersion ?? this.version;
  }
}

/** The program that wrote the wish for a rollback: it is the worker that meets it. */
function findAsker({ metadata }: Deployment): Author {
  const manager =
    findManager(metadata, ['f:spec', 'f:rollbackTo']) ??
    findManager(metadata, ['f:metadata', 'f:annotations', `f:${annotations.rollbackTo}`]);
  return defined({ manager });
}

/** What the plan changes in the Deployment's own annotations; null removes one. */
function annotationChanges(actions: readonly Action[]): Record<string, string | null> {
  const changes: Record<string, string | null> = {};
  for (const action of actions) {
    if (action.kind === 'recordRevision') {
      for (const name of setOnly) changes[name] = null;
      // The set has it by now.
      changes[annotations.changedBy] = null;
      changes[annotations.revision] = String(action.revision);
    }
    if (action.kind === 'clearPauseNotes') {
      changes[annotations.pauseReason] = null;
      changes[annotations.cancelled] = null;
      changes[annotations.cancelledBy] = null;
    }
    if (action.kind === 'clearRollbackNote') changes[annotations.rolledBack] = null;
  }
  return changes;
}
