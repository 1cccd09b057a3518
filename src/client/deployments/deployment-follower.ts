import type { Deployment } from '../../kubernetes/objects.js';
import { forAnyTree, nobodyLooks, type Follower, type FollowEnd } from '../follower.js';
import { formatTook } from '../output/duration.js';
import { cleanText } from '../output/line.js';
import { describeCounts, rolledBackAt } from '../tree/describe-deployment.js';
import type { DeploymentTree } from '../tree/tree.js';

/** A rollback that had happened before what is followed is no failure of that. */
export function followDeployments(applied: Deployment): Follower {
  return createDeploymentFollower(rolledBackAt(applied));
}

export function createDeploymentFollower(before: string | null = null): Follower {
  return forAnyTree<DeploymentTree>({
    judge: (tree) => judgeEnd(tree, before),
    // A rollout that has failed is rolled back in the same breath where that is asked for.
    mayTurn: ({ phase, rollbackOnFailure }) => phase === 'Failed' && rollbackOnFailure,
    explainSilence: ({ phase }) => (phase === 'Waiting' ? nobodyLooks : undefined),
    describeProgress,
    describeEnd,
  });
}

function judgeEnd(tree: DeploymentTree | undefined, before: string | null): FollowEnd | undefined {
  if (tree === undefined) return 'failed';
  switch (tree.phase) {
    case 'Complete':
      return 'complete';
    case 'RolledBack':
      return tree.rolledBackAt === before ? 'complete' : 'failed';
    case 'Failed':
      return 'failed';
    case 'Cancelled':
      return 'cancelled';
    case 'Progressing':
    case 'Paused':
    case 'Waiting':
      return undefined;
  }
}

/** Example: deployment.apps/web: progressing: 3 of 10 updated, 8 available, 7 old left */
export function describeProgress(ref: string, tree: DeploymentTree): string {
  const counts = describeCounts(tree);
  switch (tree.phase) {
    case 'Waiting':
      return `${ref}: waiting for a controller to see the change`;
    case 'Paused':
      return `${ref}: paused at ${counts}. ${cleanText(tree.message)}`;
    default: {
      const why = tree.heldBy === null ? '' : `. ${cleanText(tree.heldBy)}`;
      return `${ref}: ${tree.phase.toLowerCase()}: ${counts}${why}`;
    }
  }
}

export function describeEnd(ref: string, tree: DeploymentTree | undefined, tookMs: number): string {
  if (tree === undefined) return `${ref}: failed: it was deleted`;
  const counts = describeCounts(tree);
  const took = `after ${formatTook(tookMs)}`;
  if (tree.phase === 'Complete') return `${ref}: complete ${took}: ${counts}`;
  const how = tree.phase === 'RolledBack' ? 'rolled back' : tree.phase.toLowerCase();
  return `${ref}: ${how} ${took}: ${counts}. ${cleanText(tree.message)}`.trimEnd();
}
