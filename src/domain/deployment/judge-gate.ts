import { toHookTurn, type HookSummary, type HookTurn } from '../shared/hook.js';
import { findLastingHook, findRunningHook, judgeHook } from '../shared/judge-hook.js';
import type { Gate } from './gate.js';
import { isReturn, type DeploymentObservation, type ReplicaSetSummary } from './observation.js';
import { areOldPodsLeft, planRevision, type Sets } from './sets.js';

const open: Gate = { kind: 'open' };

/**
 * What the hooks of the current set say, and those of others that still run: two migrations at once
 * would be worse than a wait. A hook that was stopped with its rollout counts as not yet begun.
 */
export function judgeGate(seen: DeploymentObservation, sets: Sets, isComplete: boolean): Gate {
  const { newSet, oldSets } = sets;
  const left = findLeftBehind(oldSets);
  if (left !== undefined) return held(left.set, left.hook);
  if (newSet === undefined) return open;
  if (isRenewed(seen, sets)) return { kind: 'held', holds: 'pods' };
  const isBetween = seen.deployment.strategy.type === 'Recreate' && !areOldPodsLeft(seen, sets);
  const early = ['pre', ...(isBetween ? (['mid'] as const) : [])] as const;
  for (const moment of early) {
    const verdict = judgeHook(revived(newSet), moment);
    if (verdict.kind === 'failed') return verdict;
    if (verdict.kind === 'needed') return waitFor(verdict.hook, newSet, oldSets);
  }
  const post = judgeHook(revived(newSet), 'post');
  const isDue = post.kind === 'needed' && (isComplete || post.hook.phase !== undefined);
  return isDue ? held(newSet, post.hook, 'end') : open;
}

/** The hook by which a set that was given up is reverted, as long as it is not over. */
export function findRevert(
  replicaSets: readonly ReplicaSetSummary[],
): { readonly set: ReplicaSetSummary; readonly turn: HookTurn } | undefined {
  for (const set of replicaSets) {
    const verdict = set.failed === undefined ? undefined : judgeHook(set, 'abort');
    if (verdict?.kind !== 'needed' || set.beingDeleted) continue;
    return { set, turn: turnOf(set, verdict.hook) };
  }
  return undefined;
}

/** Whether going back from a set leaves behind what its hooks have done, with nothing to revert it. */
export const leavesTraces = ({ hooks = [] }: ReplicaSetSummary): boolean =>
  hooks.some(({ moment, phase }) => moment !== 'abort' && phase === 'Succeeded') &&
  !hooks.some(({ moment }) => moment === 'abort');

/** Whether an earlier rollout, which is over, has left such a thing behind. */
export const hasLeftTraces = (set: ReplicaSetSummary): boolean =>
  findLastingHook(set) !== undefined;

/** Whether a set that becomes the new one again is about to have its hooks run again. */
export function isRenewed({ deployment }: DeploymentObservation, sets: Sets): boolean {
  const { newSet } = sets;
  if (newSet === undefined || newSet.revision === planRevision(sets)) return false;
  const hasHooks = (newSet.hooks?.length ?? 0) > 0 || (deployment.hookMoments?.length ?? 0) > 0;
  return hasHooks && !isReturn(deployment, newSet);
}

/** Hooks of the new set that have to be made ready to run again. */
export const findStopped = ({ hooks = [] }: ReplicaSetSummary): readonly HookSummary[] =>
  hooks.filter(({ wasStopped }) => wasStopped === true);

/** A set that is new no more ends its hook, which is then known to be over. */
function findLeftBehind(oldSets: Sets['oldSets']) {
  for (const set of oldSets) {
    const hook = findRunningHook({ hooks: (set.hooks ?? []).filter(isOfRollout) });
    if (hook !== undefined && !set.beingDeleted) return { set, hook };
  }
  return undefined;
}

const isOfRollout = ({ moment }: HookSummary): boolean => moment !== 'abort';

/** What reverts an earlier rollout comes first. */
function waitFor(hook: HookSummary, newSet: ReplicaSetSummary, oldSets: Sets['oldSets']): Gate {
  if (hook.wasStopped === true) return { kind: 'held', holds: 'pods' };
  const revert = hook.phase === undefined ? findRevert(oldSets) : undefined;
  return revert === undefined
    ? held(newSet, hook)
    : { kind: 'held', turn: revert.turn, holds: 'pods' };
}

const held = (set: ReplicaSetSummary, hook: HookSummary, holds: 'pods' | 'end' = 'pods'): Gate =>
  hook.wasStopped === true
    ? { kind: 'held', holds }
    : { kind: 'held', turn: turnOf(set, hook), holds };

const turnOf = (set: ReplicaSetSummary, hook: HookSummary): HookTurn => ({
  ...toHookTurn(hook, set),
  set: set.name,
});

/** Phases of hooks that were stopped are as if they had not begun. */
function revived({ hooks = [] }: ReplicaSetSummary): { readonly hooks: readonly HookSummary[] } {
  return {
    hooks: hooks.map((hook) => {
      if (hook.wasStopped !== true) return hook;
      const { phase: _stopped, ...rest } = hook;
      return rest;
    }),
  };
}
