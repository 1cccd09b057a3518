import { forAnyTree, nobodyLooks, type Follower, type FollowEnd } from '../follower.js';
import { formatTook } from '../output/duration.js';
import { cleanText } from '../output/line.js';
import { describeConfigCounts } from '../tree/describe-config-counts.js';
import { describeSickPods } from '../tree/describe-sick-pods.js';
import { describeCanary } from '../tree/render-config.js';
import type { ConfigTree, VersionTree } from '../tree/tree.js';

/**
 * Follows the latest version of a config to its end. `before` is the latest there was when something was
 * asked of the config: when that makes no new one, it is the one that stands, unless a new one must come.
 */
export function createConfigFollower(before: number, mustBeNew = false): Follower {
  let wasUnderWay = false;
  let troubles: readonly string[] = [];
  return forAnyTree<ConfigTree>({
    judge: (tree) => {
      if (tree === undefined) return 'failed';
      if (currentOf(tree)?.phase === 'Running') {
        wasUnderWay = true;
        troubles = describeSickPods(tree);
      } else troubles = [...new Set([...troubles, ...describeSickPods(tree)])];
      if (tree.latestVersion > before) wasUnderWay = true;
      return mustBeNew && tree.latestVersion <= before ? undefined : judgePhase(tree);
    },
    mayTurn: () => false,
    explainSilence,
    describeProgress,
    describeEnd: (ref, tree, tookMs) =>
      tree !== undefined && !wasUnderWay
        ? describeStanding(ref, tree)
        : describeEnd(ref, tree, tookMs),
    listTroubles: () => troubles,
  });
}

/** Waits until there is a version after that one. */
export function createVersionAwaiter(before: number): Follower {
  return forAnyTree<ConfigTree>({
    judge: (tree) => {
      if (tree === undefined) return 'failed';
      return tree.latestVersion > before && currentOf(tree) !== undefined ? 'complete' : undefined;
    },
    mayTurn: () => false,
    explainSilence,
    describeProgress,
    describeEnd: (ref, tree) => {
      if (tree === undefined) return `${ref}: failed: it was deleted`;
      const name = currentOf(tree)?.replicationController ?? '';
      return `${ref}: version ${tree.latestVersion} made: ${name}`;
    },
    listTroubles: () => [],
  });
}

const currentOf = ({ versions }: ConfigTree): VersionTree | undefined =>
  versions.find(({ current }) => current);

export function judgePhase({ phase }: ConfigTree): FollowEnd | undefined {
  switch (phase) {
    case 'Complete':
    case 'Idle':
      return 'complete';
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

export const explainSilence = ({ phase, waitsFor }: ConfigTree): string | undefined =>
  phase === 'Waiting' && waitsFor.length === 0 ? nobodyLooks : undefined;

/** Example: deploymentconfig.apps.openshift.io/web: progressing: version 2, 1 of 4 updated, 3 available */
export function describeProgress(ref: string, tree: ConfigTree): string {
  const message = cleanText(tree.message);
  const counts = describeConfigCounts(tree);
  switch (tree.phase) {
    case 'Waiting':
      return `${ref}: waiting. ${message}`;
    case 'Paused':
      return `${ref}: paused at ${counts}. ${message}`;
    default: {
      const canary = currentOf(tree)?.canary ?? null;
      const step = canary === null ? '' : `, ${describeCanary(canary)}. ${message}`;
      return `${ref}: ${tree.phase.toLowerCase()}: ${counts}${step}`;
    }
  }
}

export function describeEnd(ref: string, tree: ConfigTree | undefined, tookMs: number): string {
  if (tree === undefined) return `${ref}: failed: it was deleted`;
  const took = formatTook(tookMs);
  const { phase, latestVersion } = tree;
  if (phase === 'Complete') {
    // The config's own counts may be a moment behind its version.
    const { desired = 0, ready = 0 } = currentOf(tree)?.replicas ?? {};
    return `${ref}: complete after ${took}: version ${latestVersion}, ${ready}/${desired} ready`;
  }
  const counts = describeConfigCounts(tree);
  return `${ref}: ${phase.toLowerCase()} after ${took}: ${counts}. ${cleanText(tree.message)}`;
}

function describeStanding(ref: string, tree: ConfigTree): string {
  const { phase, latestVersion } = tree;
  const message = cleanText(tree.message);
  if (phase === 'Idle') return `${ref}: nothing to deploy. ${message}`;
  const stands = `${ref}: nothing to deploy: version ${latestVersion} stands`;
  if (phase !== 'Complete') return `${stands}, and is ${phase.toLowerCase()}. ${message}`;
  return tree.triggersSuspended ? `${stands}. ${message}` : stands;
}
