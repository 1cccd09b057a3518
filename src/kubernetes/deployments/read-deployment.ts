import type {
  DeploymentApi,
  DeploymentStatus,
  DeploymentSummary,
} from '../../domain/deployment/observation.js';
import type { Strategy } from '../../domain/shared/strategy.js';
import type { Condition } from '../../domain/shared/conditions.js';
import type { LabelSelector } from '../../domain/shared/label-selector.js';
import { nextRevision } from '../../domain/shared/revision.js';
import { computeTemplateHash } from '../../domain/shared/template-hash.js';
import { defined } from '../../domain/shared/optional.js';
import type { ChangedTemplate } from '../change-note.js';
import { findAuthor } from '../find-author.js';
import type { Deployment, PodTemplate } from '../objects.js';
import { annotations, revisionAnnotation } from './annotations.js';
import { findScaler } from './find-scaler.js';
import { readWishes } from './read-wishes.js';

const largestInt32 = 2_147_483_647;

/** The selector; on our own kind it may be left out and is then the template's labels. */
export function selectorOf({ spec }: Deployment): LabelSelector {
  const selector = spec?.selector as LabelSelector | undefined;
  if (selector !== undefined) return selector;
  return { matchLabels: spec?.template.metadata?.labels ?? {} };
}

export function templateOf({ spec }: Deployment): PodTemplate {
  return spec?.template ?? {};
}

/** Of the template without the apiserver's defaults. */
export const hashAsWritten = (deployment: Deployment): string =>
  computeTemplateHash(templateOf(deployment));

/** The template, and the revision that it becomes if it is new. */
export const changedTemplate = (deployment: Deployment): ChangedTemplate => ({
  template: templateOf(deployment),
  next: nextRevision(revisionAnnotation(deployment.metadata.annotations) ?? 0),
});

/** What decisions need of a Deployment, with the defaults of `apps/v1` where a field is absent. */
export function readDeployment(
  api: DeploymentApi,
  deployment: Deployment,
  newReplicaSetName: string,
): DeploymentSummary {
  const { metadata, spec } = deployment;
  const deadline = spec?.progressDeadlineSeconds ?? 600;
  return {
    ...readWishes(api, deployment),
    name: metadata.name,
    uid: metadata.uid ?? '',
    generation: metadata.generation ?? 0,
    replicas: spec?.replicas ?? 1,
    paused: spec?.paused ?? false,
    ...defined({
      pauseReason: metadata.annotations?.[annotations.pauseReason],
      cancelReason: metadata.annotations?.[annotations.cancelled],
      cancelledBy: metadata.annotations?.[annotations.cancelledBy],
      progressDeadlineSeconds: deadline === largestInt32 ? undefined : deadline,
    }),
    beingDeleted: metadata.deletionTimestamp !== undefined,
    strategy: readStrategy(deployment),
    minReadySeconds: spec?.minReadySeconds ?? 0,
    revisionHistoryLimit: spec?.revisionHistoryLimit ?? 10,
    scaledBy: findScaler(deployment),
    author: findAuthor(metadata, changedTemplate(deployment)),
    newReplicaSetName,
    revision: revisionAnnotation(metadata.annotations) ?? 0,
    status: readStatus(deployment),
  };
}

function readStrategy({ spec }: Deployment): Strategy {
  if (spec?.strategy?.type === 'Recreate') return { type: 'Recreate' };
  const { maxSurge, maxUnavailable } = spec?.strategy?.rollingUpdate ?? {};
  return {
    type: 'RollingUpdate',
    maxSurge: maxSurge ?? '25%',
    maxUnavailable: maxUnavailable ?? '25%',
  };
}

function readStatus({ status }: Deployment): DeploymentStatus {
  return {
    observedGeneration: status?.observedGeneration ?? 0,
    replicas: status?.replicas ?? 0,
    updatedReplicas: status?.updatedReplicas ?? 0,
    readyReplicas: status?.readyReplicas ?? 0,
    availableReplicas: status?.availableReplicas ?? 0,
    unavailableReplicas: status?.unavailableReplicas ?? 0,
    ...defined({
      terminatingReplicas: status?.terminatingReplicas,
      collisionCount: status?.collisionCount,
    }),
    conditions: (status?.conditions ?? []) as Condition[],
  };
}
