import { hookMoments, isHookOver } from '../../domain/shared/hook.js';
import type { Revision } from '../../domain/shared/revision.js';
import { readSetHooks } from '../../kubernetes/deployments/set-hooks.js';
import { readHookRecord } from '../../kubernetes/hooks/hook-record.js';
import { readHooks } from '../../kubernetes/hooks/read-hooks.js';
import type { Deployment, KubernetesObject } from '../../kubernetes/objects.js';
import { resources } from '../../kubernetes/resources.js';
import { badInput } from '../failure.js';
import type { FollowEnd } from '../follower.js';
import type { Subject } from '../handling.js';
import type { LogTarget } from '../logs/log-target.js';
import { pickRevision, readRevisions } from '../revisions.js';
import { describeDeployment } from '../tree/describe-deployment.js';

/** The hooks of a revision of a Deployment, which its ReplicaSet keeps. */
export async function findDeploymentLogs(
  { session, ref, type, object }: Subject<Deployment>,
  wanted?: Revision,
): Promise<LogTarget> {
  const revisions = await readRevisions(session.cluster.client, object);
  const [newest] = revisions;
  if (newest === undefined) throw badInput(`${ref}: it has no revision yet`);
  const picked = wanted === undefined ? newest : pickRevision(ref, revisions, wanted);
  const { namespace = '', name } = object.metadata;
  return {
    title: `revision ${picked.revision} of ${ref}`,
    namespace,
    root: { type, name },
    holder: { type: resources.replicaSets, name: picked.replicaSet.metadata.name },
    listWishes: (holder) => readHooks(readSetHooks(holder)),
    hasDeployer: () => false,
    judge: (holder, root) => (picked === newest ? judgeRollout(holder, root) : 'complete'),
  };
}

/** A rollout is not over while one of its hooks is under way. */
export function judgeRollout(
  holder: KubernetesObject,
  root: Deployment | undefined,
): FollowEnd | undefined {
  const isBusy = hookMoments
    .map((moment) => readHookRecord(holder, moment))
    .some((record) => record.phase !== undefined && !isHookOver(record));
  if (root === undefined) return 'failed';
  if (isBusy) return undefined;
  switch (describeDeployment(root).phase) {
    case 'Complete':
      return 'complete';
    case 'Failed':
    case 'RolledBack':
      return 'failed';
    case 'Cancelled':
      return 'cancelled';
    case 'Progressing':
    case 'Paused':
    case 'Waiting':
      return undefined;
  }
}
