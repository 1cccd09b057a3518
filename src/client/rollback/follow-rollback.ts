import { setTimeout as delay } from 'node:timers/promises';

import { resources } from '../../kubernetes/resources.js';
import type { ClusterSession } from '../cluster-session.js';
import { createConfigFollower } from '../configs/config-follower.js';
import { followInView } from '../follow.js';
import { forAnyTree, type Follower } from '../follower.js';
import type { FollowView } from '../tree/follow-view.js';
import type { ConfigTree } from '../tree/tree.js';
import { awaitRollbackEnd } from './await-rollback-end.js';
import type { RollbackEnd } from './read-rollback-end.js';
import type { RollbackRun } from './start-rollback.js';

/** The run has ended, and the watch is about to say so, too. */
const catchUpMs = 5_000;

export interface FollowedConfig {
  readonly name: string;
  /** Its latest version when all began. */
  readonly before: number;
}

/** Shows how the versions go that a rollback makes, until its run ends. */
export async function followRollback(
  { cluster, namespace }: ClusterSession,
  run: RollbackRun,
  configs: readonly FollowedConfig[],
  view: FollowView,
  signal: AbortSignal,
): Promise<RollbackEnd> {
  const over = new AbortController();
  const inView = AbortSignal.any([signal, over.signal]);
  const followOne = async ({ name, before }: FollowedConfig): Promise<void> => {
    const type = resources.deploymentConfigs;
    const follower = createRollbackFollower(before);
    const target = { cluster, namespace, name, type, follower, signal: inView };
    try {
      const end = await followInView(target, hidingOthers(view));
      if (end !== 'failed') return;
      for (const trouble of follower.listTroubles?.() ?? []) view.say(`  ${trouble}`);
    } catch (error) {
      if (!over.signal.aborted) throw error;
    }
  };
  const following = new Map(configs.map((config) => [config.name, followOne(config)]));
  try {
    const say = view.say.bind(view);
    const end = await Promise.race([
      awaitRollbackEnd(run, say, signal),
      // What can't be watched any more can't be followed.
      Promise.all(following.values()).then(() => new Promise<never>(() => undefined)),
    ]);
    const touched = listTouched(end).flatMap((name) => following.get(name) ?? []);
    await Promise.race([Promise.all(touched), delay(catchUpMs, undefined, { ref: false })]);
    return end;
  } finally {
    over.abort();
    await Promise.allSettled(following.values());
  }
}

/** Those of which a version was made, and was brought to its end. */
function listTouched(end: RollbackEnd): readonly string[] {
  if (end.kind !== 'ended') return [];
  return end.outcome.standings
    .filter(({ state, version }) => version !== undefined && state !== 'Running')
    .map(({ name }) => name);
}

/** Follows the next version of a config, and has nothing to say until it is there. */
function createRollbackFollower(before: number): Follower {
  const follower = createConfigFollower(before, true);
  return forAnyTree<ConfigTree>({
    ...follower,
    describeProgress: (ref, tree) =>
      tree.latestVersion > before ? follower.describeProgress(ref, tree) : '',
  });
}

const hidingOthers = (view: FollowView): FollowView => ({
  isLive: view.isLive,
  update: (ref, tree, line) => {
    if (line !== '') view.update(ref, tree, line);
  },
  setNote: view.setNote.bind(view),
  remove: view.remove.bind(view),
  say: view.say.bind(view),
  close: view.close.bind(view),
});
