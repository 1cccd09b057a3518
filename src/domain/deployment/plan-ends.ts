import { findCondition } from '../shared/conditions.js';
import { defined } from '../shared/optional.js';
import type { StayNews } from '../shared/stay.js';
import type { JudgedStatus } from './compute-status.js';
import { findAvailableSet, progressingType } from './judge-progress.js';
import type { DeploymentObservation, ReplicaSetSummary } from './observation.js';
import type { ToldStay } from './plan.js';
import { planRevision, type Sets } from './sets.js';

/** What became of the rollout of a set. */
export interface SetEnd {
  readonly set: ReplicaSetSummary;
  readonly told: ToldStay;
}

/** What the history has to be told of how rollouts ended, where it has not been told yet. */
export function planEnds(
  seen: DeploymentObservation,
  sets: Sets,
  judged: JudgedStatus,
): readonly SetEnd[] {
  const { newSet, oldSets } = sets;
  if (newSet === undefined) return [];
  const failed = oldSets.flatMap((set) => tell(set, judgeFailedSet(seen, set, newSet)));
  // Before the set in force has its number, nobody can say what the others were overtaken by.
  if (newSet.revision !== planRevision(sets)) return failed;
  return [
    ...tell(newSet, judgeNewSet(seen, newSet, judged)),
    ...failed,
    ...oldSets.flatMap((set) => tell(set, judgeOldSet(seen, set, newSet))),
  ];
}

const tell = (set: ReplicaSetSummary, news: StayNews | undefined): readonly SetEnd[] =>
  news === undefined ? [] : [{ set, told: { revision: set.revision, news } }];

/** One that was complete once has ended well, whatever its pods do afterwards. */
function judgeNewSet(
  seen: DeploymentObservation,
  { name, revision, lastStay, failure, crash }: ReplicaSetSummary,
  { progress }: JudgedStatus,
): StayNews | undefined {
  if (lastStay?.revision !== revision || lastStay.end === 'Complete') return undefined;
  const { deployment } = seen;
  const { cancelReason, cancelledBy: by, paused, progressDeadlineSeconds = 0 } = deployment;
  const ended = { kind: 'ended', at: timeOf(seen) } as const;
  if (progress === 'complete') {
    const at = completedAt(deployment, name) ?? ended.at;
    return { ...ended, end: 'Complete', at };
  }
  if (paused && cancelReason !== undefined) {
    if (lastStay.end === 'Cancelled') return undefined;
    return { ...ended, end: 'Cancelled', reason: cancelReason, ...defined({ by }) };
  }
  if (progress === 'late') {
    if (lastStay.end === 'Failed') return undefined;
    const trouble = failure?.message ?? crash;
    const why = trouble === undefined ? '' : `: ${trouble}`;
    const reason = `it made no progress for ${progressDeadlineSeconds} s${why}`;
    return { ...ended, end: 'Failed', reason };
  }
  return lastStay.end === undefined ? undefined : { kind: 'goesOn' };
}

/** When the condition says that a set became available; it says so where nobody noted it in time. */
function completedAt(
  deployment: DeploymentObservation['deployment'],
  name: string,
): string | undefined {
  if (findAvailableSet(deployment) !== name) return undefined;
  return findCondition(deployment.status.conditions, progressingType)?.lastUpdateTime;
}

/** The set that an automatic rollback turned away from. */
function judgeFailedSet(
  seen: DeploymentObservation,
  { name, revision, lastStay }: ReplicaSetSummary,
  newSet: ReplicaSetSummary,
): StayNews | undefined {
  const { rolledBack } = seen.deployment;
  if (lastStay?.revision !== revision || !isTurnedFrom(seen, name, newSet)) return undefined;
  const isNews = lastStay.end === undefined || lastStay.end === 'Failed';
  const ended = { kind: 'ended', at: timeOf(seen), end: 'RolledBack' } as const;
  return isNews ? { ...ended, ...defined({ reason: rolledBack?.message }) } : undefined;
}

const isTurnedFrom = (
  { deployment: { rolledBack } }: DeploymentObservation,
  name: string,
  newSet: ReplicaSetSummary,
): boolean => rolledBack?.from === name && rolledBack.to === newSet.name;

/** A set that is in force no longer, and whose rollout had not ended, was turned away from by somebody. */
function judgeOldSet(
  seen: DeploymentObservation,
  { name, revision, lastStay }: ReplicaSetSummary,
  newSet: ReplicaSetSummary,
): StayNews | undefined {
  if (lastStay?.revision !== revision || lastStay.end !== undefined) return undefined;
  if (isTurnedFrom(seen, name, newSet)) return undefined;
  const ended = { kind: 'ended', at: timeOf(seen) } as const;
  const { backTo, by } = newSet.lastStay ?? {};
  if (backTo === undefined) {
    return { ...ended, end: 'Overtaken', reason: `revision ${newSet.revision} came` };
  }
  const reason = `revision ${newSet.revision} went back to revision ${backTo}`;
  return { ...ended, end: 'RolledBack', reason, ...defined({ by }) };
}

const timeOf = ({ observedAtMs }: DeploymentObservation): string =>
  new Date(observedAtMs).toISOString();
