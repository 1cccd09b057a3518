import type { DeploymentConfig } from '../../kubernetes/deployment-configs/objects.js';
import type { KubernetesObject } from '../../kubernetes/objects.js';
import { forAnyTree, type Follower } from '../follower.js';
import { cleanText } from '../output/line.js';
import type { ConfigTree } from '../tree/tree.js';
import { describeEnd, describeProgress, explainSilence, judgePhase } from './config-follower.js';

/** Follows a config that was just asked to go back: to the end of the version of that, or to the refusal. */
export function createRollbackFollower(asked: KubernetesObject): Follower {
  const before = (asked as DeploymentConfig).status?.latestVersion ?? 0;
  const isRefused = ({
    latestVersion,
    phase,
    rollbackAsked,
    rollbackRefused,
  }: ConfigTree): boolean =>
    latestVersion <= before && !rollbackAsked && rollbackRefused !== null && phase !== 'Waiting';
  return forAnyTree<ConfigTree>({
    judge: (tree) => {
      if (tree === undefined) return 'failed';
      if (isRefused(tree)) return 'refused';
      return tree.latestVersion <= before ? undefined : judgePhase(tree);
    },
    mayTurn: () => false,
    explainSilence,
    describeProgress,
    describeEnd: (ref, tree, tookMs) =>
      tree !== undefined && isRefused(tree)
        ? `${ref}: can't go back, and nothing was changed: ${cleanText(tree.rollbackRefused ?? '')}`
        : describeEnd(ref, tree, tookMs),
  });
}
