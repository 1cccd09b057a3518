import { defined } from '../../domain/shared/optional.js';
import { annotations } from '../../kubernetes/deployments/annotations.js';
import { readSetHooks } from '../../kubernetes/deployments/set-hooks.js';
import { readHookSummaries } from '../../kubernetes/hooks/read-hook-summaries.js';
import type { Deployment } from '../../kubernetes/objects.js';
import { resources } from '../../kubernetes/resources.js';
import { badInput } from '../failure.js';
import type { Subject, Wish } from '../handling.js';
import { readRevisions } from '../revisions.js';
import { whoAmI } from '../who-am-i.js';

/** Asks for another try of the newest revision's failed hooks, by which its rollout goes on. */
export async function retryHooks(
  { ref, object, session }: Subject<Deployment>,
  { reason }: Wish,
): Promise<string> {
  const { cluster } = session;
  const [newest] = await readRevisions(cluster.client, object);
  const set = newest?.replicaSet;
  const hooks = (set && readHookSummaries(set, readSetHooks(set))) ?? [];
  const hasFailed = hooks.some(({ phase }) => phase === 'Failed');
  if (newest === undefined || !hasFailed) {
    throw badInput(
      `${ref}: only a rollout whose hook has failed can be tried again, and none of its hooks has failed`,
    );
  }
  const { namespace, name, uid } = newest.replicaSet.metadata;
  const by = await whoAmI(cluster);
  const wish = JSON.stringify(defined({ by, reason }));
  const body = { metadata: { uid, annotations: { [annotations.retry]: wish } } };
  await cluster.client.patch(resources.replicaSets, namespace, name, 'merge', body);
  return `${ref}: the hooks of revision ${newest.revision} that failed are tried again`;
}
