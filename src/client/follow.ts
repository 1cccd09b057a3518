import type { Cluster } from '../kubernetes/connect.js';
import { resources, type ResourceType } from '../kubernetes/resources.js';
import { refOf } from './kinds.js';
import { formatDuration } from './output/duration.js';
import { cleanText } from './output/line.js';
import { describeCounts } from './tree/describe-deployment.js';
import { createFollowView, type FollowView } from './tree/follow-view.js';
import type { DeploymentTree } from './tree/tree.js';
import { watchTrees } from './tree/watch-trees.js';
import type { ReadingClient } from './watch-objects.js';

export type FollowEnd = 'complete' | 'failed' | 'cancelled';

/** A cluster that is away for longer than this is given up; the rollout itself goes on. */
const giveUpAfterMs = 120_000;
/** A controller looks at a change within milliseconds, so something is amiss by then. */
const unseenAfterMs = 10_000;

/** How long a failed rollout is given to be rolled back, where it is asked to be. */
const rollbackWithinMs = 3_000;

export interface FollowOptions {
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly name: string;
  readonly api: 'apps/v1' | 'slipway.dev/v1alpha1';
  /** Takes one line, without its end. */
  readonly write: (line: string) => void;
  /** Also draws a live tree on the standard output. */
  readonly isTerminal: boolean;
  /** Stops the following, not the rollout; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Shows how a rollout goes until it ends, and tells how it did. */
export async function followDeployment(options: FollowOptions): Promise<FollowEnd> {
  const view = createFollowView(options.write, options.isTerminal);
  const type =
    options.api === 'apps/v1' ? resources.builtInDeployments : resources.slipwayDeployments;
  try {
    return await followInView({ ...options, type }, view);
  } finally {
    view.close();
  }
}

export interface FollowTarget {
  readonly cluster: { readonly client: ReadingClient };
  readonly namespace: string;
  readonly name: string;
  readonly type: ResourceType;
  /** A rollback that had happened before: it is no failure of what is followed. */
  readonly rolledBackAt?: string | null;
  readonly signal?: AbortSignal;
}

/** As above, for one of several rollouts that share a view. */
export async function followInView(target: FollowTarget, view: FollowView): Promise<FollowEnd> {
  const ref = refOf(target.type, target.name);
  const startedMs = Date.now();
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, ...(target.signal ? [target.signal] : [])]);
  let latest: DeploymentTree | undefined;
  let end: FollowEnd | undefined;
  let rollback: NodeJS.Timeout | undefined;
  const unseen = setTimeout(() => {
    if (latest?.phase === 'Waiting') view.say(`${ref}: ${nobodyLooks}`);
  }, unseenAfterMs);
  try {
    await watchTrees({
      client: target.cluster.client,
      types: [target.type],
      namespace: target.namespace,
      name: target.name,
      rootsOnly: !view.isLive,
      giveUpAfterMs,
      signal,
      onTrouble: (sentence) => {
        view.setNote(ref, sentence);
      },
      onTrees: ([tree]) => {
        latest = tree;
        end = judgeEnd(tree, target.rolledBackAt ?? null);
        clearTimeout(rollback);
        if (tree !== undefined && (end === undefined || mayRollBack(tree))) {
          view.update(ref, tree, describeProgress(ref, tree));
          if (end === undefined) return;
          rollback = setTimeout(() => {
            ended.abort();
          }, rollbackWithinMs);
        } else ended.abort();
      },
    });
  } finally {
    clearTimeout(unseen);
    clearTimeout(rollback);
  }
  target.signal?.throwIfAborted();
  view.remove(ref);
  view.say(describeEnd(ref, latest, Date.now() - startedMs));
  return end ?? 'failed';
}

const nobodyLooks =
  'no controller has seen the change yet; is a worker running? "slipway worker" starts one';

/** A rollout that has failed is rolled back in the same breath where that is asked for. */
const mayRollBack = ({ phase, rollbackOnFailure }: DeploymentTree): boolean =>
  phase === 'Failed' && rollbackOnFailure;

function judgeEnd(
  tree: DeploymentTree | undefined,
  rolledBackAt: string | null,
): FollowEnd | undefined {
  if (tree === undefined) return 'failed';
  switch (tree.phase) {
    case 'Complete':
      return 'complete';
    case 'RolledBack':
      return tree.rolledBackAt === rolledBackAt ? 'complete' : 'failed';
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
    default:
      return `${ref}: ${tree.phase.toLowerCase()}: ${counts}`;
  }
}

export function describeEnd(ref: string, tree: DeploymentTree | undefined, tookMs: number): string {
  if (tree === undefined) return `${ref}: failed: it was deleted`;
  const counts = describeCounts(tree);
  const took = `after ${tookMs < 10_000 ? `${(tookMs / 1_000).toFixed(1)}s` : formatDuration(tookMs)}`;
  if (tree.phase === 'Complete') return `${ref}: complete ${took}: ${counts}`;
  const how = tree.phase === 'RolledBack' ? 'rolled back' : tree.phase.toLowerCase();
  return `${ref}: ${how} ${took}: ${counts}. ${cleanText(tree.message)}`.trimEnd();
}
