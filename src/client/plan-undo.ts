import type { Author } from '../domain/shared/author.js';
import type { Revision as RevisionNumber } from '../domain/shared/revision.js';
import { writeChangeNote } from '../kubernetes/change-note.js';
import type { Deployment } from '../kubernetes/objects.js';
import { annotations, restoredAnnotations } from '../kubernetes/deployments/annotations.js';
import { changedTemplate } from '../kubernetes/deployments/read-deployment.js';
import { badInput } from './failure.js';
import { containsValue, equalValues } from './output/compare-values.js';
import { currentTemplate, pickRevision, type Revision } from './revisions.js';

export interface JsonPatchStep {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: string;
  readonly value?: unknown;
}

export type UndoPlan =
  | { readonly kind: 'none'; readonly target: Revision }
  | { readonly kind: 'patch'; readonly target: Revision; readonly steps: readonly JsonPatchStep[] };

/** What somebody who wants to go back says about it. */
export interface UndoWish {
  /** 0 means the one before the newest. */
  readonly toRevision: RevisionNumber;
  readonly notes?: string | undefined;
}

/**
 * How to give a Deployment the template of an older revision back, in the name of its author. It must not
 * have changed since it was read, and the patch says so. A paused rollout is refused, because nothing
 * would move; a cancelled one is exactly what one goes back from, so its pause ends with it.
 */
export function planUndo(
  ref: string,
  deployment: Deployment,
  revisions: readonly Revision[],
  { toRevision, notes }: UndoWish,
  author?: Author,
): UndoPlan {
  const { metadata, spec } = deployment;
  const isCancelled = metadata.annotations?.[annotations.cancelled] !== undefined;
  if (spec?.paused === true && !isCancelled) {
    throw badInput(`${ref}: it is paused, so it can't go back: resume it first`);
  }
  const target = pickTarget(ref, deployment, revisions, toRevision);
  if (equalValues(currentTemplate(deployment, revisions), target.template)) {
    return { kind: 'none', target };
  }
  const { template } = target;
  const { next } = changedTemplate(deployment);
  const steps: JsonPatchStep[] = [
    // With a version of its own, the apiserver refuses the patch as a conflict once that is outdated.
    { op: 'replace', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
    { op: 'replace', path: '/spec/template', value: template },
    {
      op: 'add',
      path: '/metadata/annotations',
      value: {
        ...restoredAnnotations(metadata.annotations, target.replicaSet.metadata.annotations),
        ...(notes === undefined ? {} : { [annotations.changeCause]: notes }),
        ...(author === undefined ? {} : writeChangeNote(author, { template, next })),
      },
    },
    ...(spec?.paused === true ? [{ op: 'remove', path: '/spec/paused' } as const] : []),
  ];
  return { kind: 'patch', target, steps };
}

/** 0 is the revision before the current one, as with kubectl. */
function pickTarget(
  ref: string,
  deployment: Deployment,
  revisions: readonly Revision[],
  toRevision: RevisionNumber,
): Revision {
  if (toRevision !== 0) return pickRevision(ref, revisions, toRevision);
  const previous = revisions[isUnnumbered(deployment, revisions) ? 0 : 1];
  if (previous === undefined) throw badInput(`${ref}: there is no earlier revision to go back to`);
  return previous;
}

/** A template that came during a pause has no revision yet: the newest is then the one before it. */
function isUnnumbered({ spec, status }: Deployment, [newest]: readonly Revision[]): boolean {
  return (
    spec?.paused === true &&
    (status?.updatedReplicas ?? 0) === 0 &&
    !containsValue(newest?.template, spec.template)
  );
}
