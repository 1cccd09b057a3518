import {
  isOver,
  versionPhases,
  type VersionPhase,
} from '../../domain/deployment-config/observation.js';
import { configAnnotations } from '../../kubernetes/deployment-configs/annotations.js';
import { decodeConfig } from '../../kubernetes/deployment-configs/build-controller.js';
import type { ReplicationController } from '../../kubernetes/deployment-configs/objects.js';
import { readCauses } from '../../kubernetes/deployment-configs/read-causes.js';
import { imagesOf } from '../revisions.js';
import { describeCause, findProgram } from './describe-cause.js';
import type { CanaryProgress, VersionTree } from './tree.js';

/** One that has not begun has no phase yet. */
export function phaseOfVersion({ metadata }: ReplicationController): VersionPhase {
  const written = metadata.annotations?.[configAnnotations.phase];
  return versionPhases.find((phase) => phase === written) ?? 'New';
}

/** 0 for a ReplicationController that is no version. */
export function versionOf({ metadata }: ReplicationController): number {
  const version = Number(metadata.annotations?.[configAnnotations.version]);
  return Number.isSafeInteger(version) && version > 0 ? version : 0;
}

/** The versions of a config among some controllers, newest first. */
export function listVersions(
  uid: string,
  controllers: readonly ReplicationController[],
): ReplicationController[] {
  return controllers
    .filter((controller) => versionOf(controller) > 0)
    .filter(({ metadata }) =>
      metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === uid),
    )
    .sort((a, b) => versionOf(b) - versionOf(a));
}

/** All that a version's controller itself can tell. */
export function describeVersion(
  controller: ReplicationController,
  latestVersion: number,
): Omit<VersionTree, 'hooks' | 'jobs' | 'pods'> {
  const { metadata, spec, status } = controller;
  const written = metadata.annotations ?? {};
  const version = versionOf(controller);
  const causes = readCauses(controller);
  return {
    version,
    replicationController: metadata.name,
    current: version === latestVersion,
    phase: phaseOfVersion(controller),
    cancelled: written[configAnnotations.cancelled] === 'true',
    reason: written[configAnnotations.statusReason] ?? null,
    causes: causes.map(describeCause),
    by: causes.find(({ by }) => by !== undefined)?.by ?? findProgram(causes) ?? null,
    images: imagesOf(spec?.template ?? {}),
    created: metadata.creationTimestamp ?? null,
    startedAt: written[configAnnotations.startedAt] ?? null,
    endedAt: written[configAnnotations.endedAt] ?? null,
    canary: readCanary(controller),
    replicas: {
      desired: spec?.replicas ?? 1,
      ready: status?.readyReplicas ?? 0,
      available: status?.availableReplicas ?? 0,
    },
  };
}

/** The step of a canary that is under way; a comparison comes after all others. */
export function readCanary(controller: ReplicationController): CanaryProgress | null {
  const written = controller.metadata.annotations?.[configAnnotations.canaryStep] ?? '';
  if (!/^\d{1,9}$/.test(written) || isOver(phaseOfVersion(controller))) return null;
  const { steps, ab } = decodeConfig(controller)?.spec.strategy?.canaryParams ?? {};
  const count = (steps?.length ?? 0) + (ab === undefined || ab === null ? 0 : 1);
  const index = Number(written);
  if (index >= count) return null;
  const comparison = index === (steps?.length ?? 0);
  const needsApproval = comparison || steps?.[index]?.approve === true;
  return { step: index + 1, steps: count, needsApproval, comparison };
}
