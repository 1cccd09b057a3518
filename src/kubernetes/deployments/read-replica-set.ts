import type { ReplicaSetSummary } from '../../domain/deployment/observation.js';
import { matchesSelector } from '../../domain/shared/label-selector.js';
import { defined } from '../../domain/shared/optional.js';
import type { Stay } from '../../domain/shared/stay.js';
import type { Deployment, ReplicaSet } from '../objects.js';
import {
  annotations,
  handedDownAnnotations,
  numberAnnotation,
  revisionAnnotation,
} from './annotations.js';
import { readHookSummaries } from '../hooks/read-hook-summaries.js';
import { isControlledBy } from './build-replica-set.js';
import { selectorOf } from './read-deployment.js';
import { readSetHooks } from './set-hooks.js';
import { readStays } from './stays.js';

/** What decisions need of a ReplicaSet, seen from its Deployment. */
export function readReplicaSet(
  set: ReplicaSet,
  deployment: Deployment,
  isNew: boolean,
): ReplicaSetSummary {
  const { metadata, spec, status } = set;
  return {
    name: metadata.name,
    uid: metadata.uid ?? '',
    isNew,
    isOrphan: metadata.ownerReferences?.some((owner) => owner.controller === true) !== true,
    revision: revisionAnnotation(metadata.annotations) ?? 0,
    createdAtMs: Date.parse(metadata.creationTimestamp ?? ''),
    desired: spec?.replicas ?? 1,
    replicas: status?.replicas ?? 0,
    ready: status?.readyReplicas ?? 0,
    available: status?.availableReplicas ?? 0,
    statusIsCurrent: (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0),
    inSync: isInSync(set, deployment),
    beingDeleted: metadata.deletionTimestamp !== undefined,
    ...readMemory(set),
    ...defined({
      isStray: isStray(set, deployment) ? true : undefined,
      terminating: status?.terminatingReplicas,
      annotatedDesired: numberAnnotation(metadata.annotations, annotations.desiredReplicas),
      annotatedMax: numberAnnotation(metadata.annotations, annotations.maxReplicas),
      failure: readFailure(set),
    }),
  };
}

/** What it remembers of its rollout. */
function readMemory(set: ReplicaSet): Partial<ReplicaSetSummary> {
  const written = set.metadata.annotations ?? {};
  return defined({
    lastComplete: written[annotations.lastComplete],
    failed: written[annotations.failed],
    hooks: readHookSummaries(set, readSetHooks(set)),
    lastStay: summariseStay(readStays(set).at(-1)),
    isRetried: written[annotations.retry] === undefined ? undefined : true,
  });
}

function summariseStay(stay: Stay | undefined): ReplicaSetSummary['lastStay'] {
  if (stay === undefined) return undefined;
  const { revision, end, backTo, by } = stay;
  return { revision, ...defined({ end, backTo, by }) };
}

/** A selector that is left out is whatever the template's labels are just now, so it lets nothing go. */
function isStray(set: ReplicaSet, deployment: Deployment): boolean {
  return (
    deployment.spec?.selector !== undefined &&
    isControlledBy(set, deployment) &&
    !matchesSelector(selectorOf(deployment), set.metadata.labels ?? {})
  );
}

function isInSync(set: ReplicaSet, deployment: Deployment): boolean {
  const wanted = Object.entries(handedDownAnnotations(deployment.metadata.annotations));
  return (
    wanted.every(([key, value]) => set.metadata.annotations?.[key] === value) &&
    (set.spec?.minReadySeconds ?? 0) === (deployment.spec?.minReadySeconds ?? 0)
  );
}

function readFailure({ status }: ReplicaSet): ReplicaSetSummary['failure'] {
  const condition = status?.conditions?.find(
    ({ type, status: holds }) => type === 'ReplicaFailure' && holds === 'True',
  );
  if (condition === undefined) return undefined;
  return { reason: condition.reason ?? 'FailedCreate', message: condition.message ?? '' };
}
