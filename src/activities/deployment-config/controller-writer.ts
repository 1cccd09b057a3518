import type { VersionPhase } from '../../domain/deployment-config/observation.js';
import type { VersionAction } from '../../domain/deployment-config/plan.js';
import type { RunOncePod } from '../../domain/shared/run-once-pod.js';
import { ApiError, isAlreadyExists, isNotFound } from '../../kubernetes/api-error.js';
import { configAnnotations } from '../../kubernetes/deployment-configs/annotations.js';
import { buildController } from '../../kubernetes/deployment-configs/build-controller.js';
import { findServedBefore } from '../../kubernetes/deployment-configs/find-served-before.js';
import type { DeploymentConfig } from '../../kubernetes/deployment-configs/objects.js';
import {
  canaryAnnotations,
  readCanaryNotes,
} from '../../kubernetes/deployment-configs/read-canary.js';
import { readPhase } from '../../kubernetes/deployment-configs/read-controller.js';
import { noteTry } from '../../kubernetes/deployment-configs/tries.js';
import { resetFailedHooks } from '../../kubernetes/hooks/hook-record.js';
import { resources } from '../../kubernetes/resources.js';
import { toWritten, type Written } from '../carry-out.js';
import { expectingMatch } from '../expecting-match.js';
import { measureMetrics } from './measure-metrics.js';
import { takeSource } from './take-source.js';
import type { VersionSubject } from './version-subject.js';

/** What is done to the ReplicationControllers of versions. */
type ControllerAction = Exclude<
  VersionAction,
  {
    kind:
      'announce' | 'createDeployer' | 'deletePod' | 'releasePod' | 'moveRegion' | 'refillRegion';
  }
>;

type Patch = readonly { readonly op: string; readonly path: string; readonly value?: unknown }[];

/** Turns each action on a version into one call that is harmless when it is made twice. */
export class ControllerWriter {
  constructor(private readonly subject: VersionSubject) {}

  async write(action: ControllerAction): Promise<Written | undefined> {
    switch (action.kind) {
      case 'createController':
        return this.create(action.version);
      case 'scaleController':
        return this.scale(action);
      case 'setPhase':
        return this.setPhase(action);
      case 'cancelController':
        return this.cancel(action);
      case 'deleteController':
        return this.delete(action);
      case 'noteCanary':
        return this.noteCanary(action, canaryAnnotations(action.from, action.to));
      case 'measure':
        return this.measure(action);
      case 'noteStep':
        return this.annotate(action, { [configAnnotations.steppedAt]: new Date().toISOString() });
    }
  }

  private async create(version: number): Promise<Written> {
    const { client, config, ref, seen } = this.subject;
    const before = findServedBefore(config, version, seen);
    const wanted = buildController(takeSource(config, version, seen), version, before);
    try {
      return toWritten(await client.create(resources.replicationControllers, wanted, brief));
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const { name } = wanted.metadata;
      const found = await client.get(resources.replicationControllers, ref.namespace, name);
      // One of a config of that name that was deleted will soon be gone, too.
      const isVersion = found.metadata.ownerReferences?.some(
        ({ kind, name: owner }) => kind === 'DeploymentConfig' && owner === config.metadata.name,
      );
      if (isVersion === true) throw error;
      throw new ApiError(
        422,
        'Invalid',
        `metadata.name: the ReplicationController ${name} is there and not a version of this config`,
      );
    }
  }

  private async scale({
    name,
    uid,
    from,
    to,
  }: Extract<VersionAction, { kind: 'scaleController' }>): Promise<Written> {
    return this.patch(name, [
      { op: 'test', path: '/metadata/uid', value: uid },
      { op: 'test', path: '/spec/replicas', value: from },
      { op: 'replace', path: '/spec/replicas', value: to },
    ]);
  }

  /**
   * A phase is only left for another by whoever has seen it; one that begins or ends it all, by whoever has seen
   * all of it: a hook may have begun, or ended, since.
   */
  private async setPhase(action: Extract<VersionAction, { kind: 'setPhase' }>): Promise<Written> {
    const { name, uid, from, to } = action;
    const seen = this.subject.seen(name);
    const written = seen?.metadata.annotations ?? {};
    const changes = {
      ...phaseNotes(action, this.subject.config),
      ...(to === 'New' && seen !== undefined
        ? { ...resetFailedHooks(seen), ...noteTry(seen) }
        : {}),
    };
    const planned = to === 'New' || to === 'Failed' ? this.subject.planned[uid] : undefined;
    return this.patch(name, [
      { op: 'test', path: '/metadata/uid', value: uid },
      ...(planned === undefined
        ? []
        : [{ op: 'test', path: '/metadata/resourceVersion', value: planned }]),
      ...expectPhase(written[configAnnotations.phase], from),
      { op: 'add', path: pathOf(configAnnotations.phase), value: to },
      ...Object.entries(changes).flatMap(([key, value]): Patch => {
        if (value !== null) return [{ op: 'add', path: pathOf(key), value }];
        return written[key] === undefined ? [] : [{ op: 'remove', path: pathOf(key) }];
      }),
    ]);
  }

  /** One that has ended meanwhile stays as it ended. */
  private async cancel({
    name,
    uid,
    reason,
  }: Extract<VersionAction, { kind: 'cancelController' }>): Promise<Written> {
    const phase = this.subject.seen(name)?.metadata.annotations?.[configAnnotations.phase];
    return this.patch(name, [
      { op: 'test', path: '/metadata/uid', value: uid },
      ...expectPhase(phase, readPhase(phase)),
      { op: 'add', path: pathOf(configAnnotations.cancelled), value: 'true' },
      { op: 'add', path: pathOf(configAnnotations.statusReason), value: reason },
    ]);
  }

  /** The answers belong to the step for which they were asked. */
  private async measure(action: Extract<VersionAction, { kind: 'measure' }>): Promise<Written> {
    const { name, uid, step: from } = action;
    const found = this.subject.seen(name);
    const notes = await measureMetrics(found, action.metrics);
    return this.noteCanary({ name, uid, from }, notes);
  }

  /** How far a canary is, is only written by whoever has seen how far it was. */
  private async noteCanary(
    { name, uid, from }: { readonly name: string; readonly uid: string; readonly from: number },
    annotations: Readonly<Record<string, string | null>>,
  ): Promise<Written> {
    const { client, ref, seen } = this.subject;
    const found = seen(name);
    if (found === undefined || readCanaryNotes(found).step !== from) {
      throw new ApiError(409, 'Conflict', `${name} is not at step ${from} of its canary any more`);
    }
    const { resourceVersion } = found.metadata;
    const body = { metadata: { uid, resourceVersion, annotations } };
    const type = resources.replicationControllers;
    return toWritten(await client.patch(type, ref.namespace, name, 'merge', body, brief));
  }

  private async annotate(
    { name, uid }: { readonly name: string; readonly uid: string },
    annotations: Readonly<Record<string, string>>,
  ): Promise<Written> {
    const { client, ref } = this.subject;
    const body = { metadata: { uid, annotations } };
    const type = resources.replicationControllers;
    return toWritten(await client.patch(type, ref.namespace, name, 'merge', body, brief));
  }

  private async delete({
    name,
    uid,
  }: Extract<VersionAction, { kind: 'deleteController' }>): Promise<undefined> {
    const { client, ref } = this.subject;
    try {
      await client.delete(resources.replicationControllers, ref.namespace, name, {
        propagationPolicy: 'Background',
        preconditions: { uid },
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    return undefined;
  }

  private async patch(name: string, patch: Patch): Promise<Written> {
    const { client, ref } = this.subject;
    const type = resources.replicationControllers;
    return toWritten(
      await expectingMatch(client.patch(type, ref.namespace, name, 'json', patch, brief)),
    );
  }
}

const brief = { brief: true } as const;

const pathOf = (annotation: string): string =>
  `/metadata/annotations/${annotation.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** What is written there may be no phase at all, or nothing, and then stands for one. */
function expectPhase(written: string | undefined, phase: VersionPhase): Patch {
  const path = pathOf(configAnnotations.phase);
  if (readPhase(written) !== phase) return [{ op: 'test', path, value: phase }];
  return written === undefined ? [] : [{ op: 'test', path, value: written }];
}

/** A version that is tried again begins with its first step. */
const noCanary = {
  [configAnnotations.canaryStep]: null,
  [configAnnotations.canaryReachedAt]: null,
  [configAnnotations.canaryWaited]: null,
  [configAnnotations.canaryMetrics]: null,
  [configAnnotations.approval]: null,
} as const;

/** What is noted with a phase; null takes a note away. */
function phaseNotes(
  action: Extract<VersionAction, { kind: 'setPhase' }>,
  { spec }: DeploymentConfig,
): Record<string, string | null> {
  const { to, reason, deployer } = action;
  const now = new Date().toISOString();
  switch (to) {
    case 'New':
      return {
        [configAnnotations.cancelled]: null,
        [configAnnotations.statusReason]: null,
        [configAnnotations.retry]: null,
        [configAnnotations.endedAt]: null,
        ...noCanary,
        [configAnnotations.steppedAt]: null,
        [configAnnotations.desiredReplicas]: String(spec.replicas ?? 1),
        ...deployerNotes(undefined),
      };
    case 'Pending':
      return deployer === undefined ? {} : deployerNotes(deployer);
    case 'Running':
      return {
        [configAnnotations.startedAt]: now,
        ...(deployer === undefined ? {} : deployerNotes(deployer)),
      };
    case 'Complete':
      return {
        [configAnnotations.desiredReplicas]: null,
        [configAnnotations.replicas]: String(spec.replicas ?? 1),
        [configAnnotations.endedAt]: now,
        ...(deployer === undefined ? {} : deployerNotes(deployer)),
      };
    case 'Failed':
      return {
        [configAnnotations.endedAt]: now,
        [configAnnotations.statusReason]: reason ?? null,
        [configAnnotations.retry]: null,
        ...(deployer === undefined ? {} : deployerNotes(deployer)),
      };
  }
}

/** As OpenShift notes them, so that its clients find the pod and how long it took. */
function deployerNotes(deployer: RunOncePod | undefined): Record<string, string | null> {
  const at = (ms: number | undefined): string | null =>
    ms === undefined ? null : new Date(ms).toISOString();
  return {
    [configAnnotations.deployerPodName]: deployer?.name ?? null,
    [configAnnotations.deployerCreatedAt]: at(deployer?.createdAtMs),
    [configAnnotations.deployerStartedAt]: at(deployer?.startedAtMs),
    [configAnnotations.deployerCompletedAt]: at(deployer?.endedAtMs),
  };
}
