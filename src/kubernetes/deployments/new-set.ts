import { computeTemplateHash } from '../../domain/shared/template-hash.js';
import type { Deployment, PodTemplate, ReplicaSet } from '../objects.js';
import { annotations } from './annotations.js';
import { hashAsWritten } from './read-deployment.js';
import { sameTemplate, withoutHash } from './same-template.js';

/**
 * The set of the Deployment's current template: the oldest, so that everyone who looks finds the same
 * one. Where the apiserver does not say what the whole template is, the set that was made for it.
 */
export function findNewSet(
  sets: readonly ReplicaSet[],
  deployment: Deployment,
  template: PodTemplate | undefined,
): ReplicaSet | undefined {
  const isOfTemplate = (set: ReplicaSet): boolean =>
    template === undefined
      ? set.metadata.annotations?.[annotations.templateHash] === hashAsWritten(deployment)
      : sameTemplate(set.spec?.template ?? {}, template);
  return sets.filter(isOfTemplate).sort((a, b) => age(a).localeCompare(age(b)))[0];
}

/** What a new set is to be called; nothing where none can be made. */
export function newSetName(
  { metadata, status }: Deployment,
  template: PodTemplate | undefined,
): string {
  if (template === undefined) return '';
  const hash = computeTemplateHash(withoutHash(template), status?.collisionCount);
  return `${metadata.name}-${hash}`;
}

const age = ({ metadata }: ReplicaSet): string =>
  `${metadata.creationTimestamp ?? ''}/${metadata.name}`;
