import { ourselves } from '../../domain/shared/author.js';
import { defined } from '../../domain/shared/optional.js';
import type { Deployment } from '../../kubernetes/objects.js';
import type { Subject, Undoing } from '../handling.js';
import { planUndo, type UndoWish } from '../plan-undo.js';
import { currentTemplate, readRevisions } from '../revisions.js';
import { whoAmI } from '../who-am-i.js';

export async function planDeploymentUndo(
  { session, ref, object }: Subject<Deployment>,
  wish: UndoWish,
): Promise<Undoing> {
  const { cluster } = session;
  const [revisions, by] = await Promise.all([
    readRevisions(cluster.client, object),
    whoAmI(cluster),
  ]);
  const author = { manager: ourselves, ...defined({ by, reason: wish.notes }) };
  return {
    plan: planUndo(ref, object, revisions, wish, author),
    current: currentTemplate(object, revisions),
  };
}
