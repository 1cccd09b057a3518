import type { Cluster } from '../kubernetes/connect.js';
import { resources, type ResourceType } from '../kubernetes/resources.js';
import { createDeploymentFollower } from './deployments/deployment-follower.js';
import type { Follower, FollowEnd } from './follower.js';
import { refOf } from './kinds.js';
import { createFollowView, type FollowView } from './tree/follow-view.js';
import type { Tree } from './tree/tree.js';
import { watchTrees } from './tree/watch-trees.js';
import type { ReadingClient } from './watch-objects.js';

/** A cluster that is away for longer than this is given up; the rollout itself goes on. */
const giveUpAfterMs = 120_000;
/** A controller looks at a change within milliseconds, so something is amiss by then. */
const unseenAfterMs = 10_000;
/** How long an end that may be overturned is given, such as a failure that is to be rolled back. */
const turnWithinMs = 3_000;

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

/** Shows how the rollout of a Deployment goes until it ends, and tells how it did. */
export async function followDeployment(options: FollowOptions): Promise<FollowEnd> {
  const view = createFollowView(options.write, options.isTerminal);
  const type =
    options.api === 'apps/v1' ? resources.builtInDeployments : resources.slipwayDeployments;
  try {
    return await followInView({ ...options, type, follower: createDeploymentFollower() }, view);
  } finally {
    view.close();
  }
}

export interface FollowTarget {
  readonly cluster: { readonly client: ReadingClient };
  readonly namespace: string;
  readonly name: string;
  readonly type: ResourceType;
  readonly follower: Follower;
  readonly signal?: AbortSignal;
}

/** As above, for one of several rollouts that share a view. */
export async function followInView(target: FollowTarget, view: FollowView): Promise<FollowEnd> {
  const { follower } = target;
  const ref = refOf(target.type, target.name);
  const startedMs = Date.now();
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, ...(target.signal ? [target.signal] : [])]);
  let latest: Tree | undefined;
  let end: FollowEnd | undefined;
  let turning: NodeJS.Timeout | undefined;
  const unseen = setTimeout(() => {
    const why = latest === undefined ? undefined : follower.explainSilence(latest);
    if (why !== undefined) view.say(`${ref}: ${why}`);
  }, unseenAfterMs);
  try {
    await watchTrees({
      client: target.cluster.client,
      types: [target.type],
      namespace: target.namespace,
      name: target.name,
      isBrief: !view.isLive,
      giveUpAfterMs,
      signal,
      onTrouble: (sentence) => {
        view.setNote(ref, sentence);
      },
      onTrees: ([tree]) => {
        latest = tree;
        end = follower.judge(tree);
        clearTimeout(turning);
        if (tree !== undefined && (end === undefined || follower.mayTurn(tree))) {
          view.update(ref, tree, follower.describeProgress(ref, tree));
          if (end === undefined) return;
          turning = setTimeout(() => {
            ended.abort();
          }, turnWithinMs);
        } else ended.abort();
      },
    });
  } finally {
    clearTimeout(unseen);
    clearTimeout(turning);
  }
  target.signal?.throwIfAborted();
  view.remove(ref);
  view.say(follower.describeEnd(ref, latest, Date.now() - startedMs));
  return end ?? 'failed';
}
