import type { Revision } from '../../domain/shared/revision.js';
import type { Deployment } from '../../kubernetes/objects.js';
import type { Subject, Undoing } from '../handling.js';
import { planUndo } from '../plan-undo.js';
import { currentTemplate, readRevisions } from '../revisions.js';

export async function planDeploymentUndo(
  { session, ref, object }: Subject<Deployment>,
  toRevision: Revision,
): Promise<Undoing> {
  const revisions = await readRevisions(session.cluster.client, object);
  return {
    plan: planUndo(ref, object, revisions, toRevision),
    current: currentTemplate(object, revisions),
  };
}
