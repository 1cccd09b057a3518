import {
  compareRevisions,
  readRevision,
  type Revision as RevisionNumber,
} from '../domain/shared/revision.js';
import type { KubernetesClient } from '../kubernetes/client.js';
import type { Deployment, PodTemplate, ReplicaSet } from '../kubernetes/objects.js';
import { annotations, revisionAnnotation } from '../kubernetes/deployments/annotations.js';
import { withoutHash } from '../kubernetes/deployments/same-template.js';
import { listImages } from '../kubernetes/deployments/stays.js';
import { resources } from '../kubernetes/resources.js';
import { badInput } from './failure.js';

/** One entry of a Deployment's history, as its ReplicaSet keeps it. */
export interface Revision {
  readonly revision: RevisionNumber;
  /** The numbers that its set had before: its template was gone back to. */
  readonly earlier: readonly RevisionNumber[];
  readonly replicaSet: ReplicaSet;
  readonly template: PodTemplate;
}

/** 0 when no controller has numbered it yet. */
export function revisionOf({
  metadata,
}: Pick<ReplicaSet | Deployment, 'metadata'>): RevisionNumber {
  return revisionAnnotation(metadata.annotations) ?? 0;
}

/** The revisions of a Deployment that are still known, newest first. */
export function listRevisions(deployment: Deployment, sets: readonly ReplicaSet[]): Revision[] {
  return sets
    .filter((set) =>
      set.metadata.ownerReferences?.some(
        ({ uid, controller }) => controller === true && uid === deployment.metadata.uid,
      ),
    )
    .map((replicaSet) => ({
      revision: revisionOf(replicaSet),
      earlier: listEarlier(replicaSet),
      replicaSet,
      // As the Deployment had it: the label that its controller added is taken off.
      template: withoutHash(replicaSet.spec?.template ?? {}),
    }))
    .filter(({ revision }) => revision !== 0)
    .sort((a, b) => compareRevisions(b.revision, a.revision));
}

const listEarlier = ({ metadata }: ReplicaSet): RevisionNumber[] =>
  (metadata.annotations?.[annotations.revisionHistory] ?? '')
    .split(',')
    .filter((digits) => /^\d+$/.test(digits))
    .map(readRevision);

/**
 * The revision that has or had that number; a sentence with those there are when it isn't one of them.
 */
export function pickRevision(
  ref: string,
  revisions: readonly Revision[],
  wanted: RevisionNumber,
): Revision {
  const found = revisions.find(
    ({ revision, earlier }) => revision === wanted || earlier.includes(wanted),
  );
  if (found !== undefined) return found;
  const known = revisions
    .flatMap(({ revision, earlier }) => [revision, ...earlier])
    .sort((a, b) => compareRevisions(b, a))
    .join(', ');
  throw badInput(
    `${ref}: revision ${wanted} is not in its history, which has ${known === '' ? 'none' : known}`,
  );
}

/**
 * The template that is in force. The newest ReplicaSet has it once a controller has seen the latest
 * change, in the same form as older revisions have theirs; until then only the Deployment has it.
 */
export function currentTemplate(
  deployment: Deployment,
  revisions: readonly Revision[],
): PodTemplate {
  const { metadata, spec, status } = deployment;
  const [newest] = revisions;
  const isSeen = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 1);
  return newest !== undefined && isSeen && spec?.paused !== true
    ? newest.template
    : (spec?.template ?? {});
}

/** What started the rollout of a set; empty for an automatic rollback, and for sets of other controllers. */
export function triggersOf({ metadata }: Pick<ReplicaSet, 'metadata'>): string[] {
  const written = metadata.annotations?.[annotations.startedBy] ?? '';
  return written === '' ? [] : written.split(',');
}

/** What stands on one line of a history. */
export const imagesOf = listImages;

/** The history of a Deployment, newest first. */
export async function readRevisions(
  client: Pick<KubernetesClient, 'list'>,
  deployment: Deployment,
): Promise<Revision[]> {
  const sets = await client.list<ReplicaSet>(resources.replicaSets, deployment.metadata.namespace, {
    labelSelector: selectorOf(deployment),
  });
  return listRevisions(deployment, sets.items);
}

/** A Deployment's selector as a query that leaves none of its ReplicaSets out. */
export function selectorOf({ spec }: Deployment): string | undefined {
  // Ours may have none of its own: it then follows from the template, which differs by revision.
  const selector = spec?.selector as { matchLabels?: Record<string, string> } | undefined;
  const pairs = Object.entries(selector?.matchLabels ?? {}).map(
    ([key, value]) => `${key}=${value}`,
  );
  return pairs.length === 0 ? undefined : pairs.join(',');
}
