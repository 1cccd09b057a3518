import { ActivityFailure } from '@temporalio/common';
import { CancellationScope, isCancellation } from '@temporalio/workflow';

import type { ApplyRollbackResult, RollbackMember } from '../../contracts/rollback.js';
import { findOvertaken } from '../../domain/rollback/find-overtaken.js';
import { nameReleases } from '../../domain/rollback/name-releases.js';
import {
  isPossible,
  type ConfigReport,
  type ExaminedBase,
  type RollbackProblem,
  type RollbackReport,
} from '../../domain/rollback/report.js';
import { defined } from '../../domain/shared/optional.js';
import { writeHereOrThere, type Reached } from '../reach.js';
import { listProblems } from './describe-rollback.js';
import { examineForGood } from './examine-for-good.js';
import { activitiesFor, mostLooks, ownId, refOf, type Begun, type Run } from './rollback-run.js';
import { startVersion } from './start-version.js';

/**
 * Begins with one config. The first one that has changed since the look makes it out of date as a whole. When
 * others have begun, it is only the rest that is looked at again, for the same versions as before: an autoscaler
 * that changes a config meanwhile must not leave a group half-way.
 */
export async function beginNext(
  run: Run,
  report: RollbackReport,
  index: number,
  mayLookAgain: boolean,
): Promise<Begun | 'outdated' | undefined> {
  const member = run.task.members[index];
  let examined = report.configs[index];
  if (member === undefined || examined === undefined) throw new Error('it was not examined');
  for (let looks = 1; ; looks += 1) {
    const begun = await begin(
      run,
      member,
      examined,
      index === 0 ? mayLookAgain : looks < mostLooks,
    );
    if (begun !== 'outdated' || index === 0) return begun;
    let rest: RollbackReport;
    try {
      rest = await examineRest(run, report, index);
    } catch (error) {
      if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
      return giveUp(run, member.name, describeError(error));
    }
    const [again] = rest.configs;
    if (again === undefined) throw new Error(`${member.name} was not examined`);
    const overtaken = findOvertaken({ configs: [examined] }, rest);
    if (overtaken !== undefined) return giveUp(run, member.name, overtaken.why);
    if (!isPossible(rest)) return giveUp(run, member.name, listProblems(rest));
    examined = again;
  }
}

function examineRest(
  { task }: Run,
  report: RollbackReport,
  index: number,
): Promise<RollbackReport> {
  const { cluster, namespace } = task;
  const members = nameReleases(task.members.slice(index), report);
  return examineForGood({ cluster, namespace, members });
}

/** Writes what the config goes back to, and starts the run of its version. */
async function begin(
  run: Run,
  { name, wish }: RollbackMember,
  { from, to, base }: ConfigReport,
  mayLookAgain: boolean,
): Promise<Begun | 'outdated' | undefined> {
  const { task, story } = run;
  const { here, atCluster } = activitiesFor(task);
  const { fromBlock } = task;
  const ref = refOf(task, name);
  const request = { ref, wish, from, to, runId: ownId(), ...defined({ base, fromBlock }) };
  let done: Reached<ApplyRollbackResult>;
  try {
    // A cancel has to wait for the answer: what was written is to be stopped, not left to itself.
    done = await CancellationScope.nonCancellable(() =>
      writeHereOrThere(
        () => here.applyRollback(request),
        () => atCluster.applyRollback(request),
      ),
    );
  } catch (error) {
    if (isCancellation(error)) throw error;
    return giveUp(run, name, describeError(error));
  }
  if (done.kind === 'changed' && mayLookAgain) return 'outdated';
  if (done.kind === 'needless') {
    // What stands there instead gets a run of its own, so it is not this one's to take away.
    story.move(name, { state: 'Failed', reason: done.why });
    return undefined;
  }
  if (done.kind !== 'done') {
    return giveUp(run, name, done.kind === 'gone' ? 'the DeploymentConfig is gone' : done.why);
  }
  const { version, versions: since } = done;
  const begun = { ref: { ...ref, version }, since };
  run.underWay.set(name, begun);
  story.move(name, { state: 'Running', version });
  await startVersion(begun.ref, since);
  return begun;
}

/** A block that stayed would ask anew, of a config that has changed: what was meant then is not known. */
export async function giveUp(run: Run, name: string, reason: string): Promise<undefined> {
  await takeBlockAway(run, name, [{ field: 'rollback', message: reason }]);
  run.story.move(name, { state: 'Failed', reason });
  return undefined;
}

/** One that stayed would ask again and again. */
export async function takeBlockAway(
  { task }: Run,
  name: string,
  problems: readonly RollbackProblem[],
  base?: ExaminedBase,
): Promise<void> {
  const wish = task.members.find((member) => member.name === name)?.wish;
  if (task.fromBlock !== true || wish === undefined) return;
  const { here, atCluster } = activitiesFor(task);
  const request = { ref: refOf(task, name), wish, problems, ...defined({ base }) };
  await writeHereOrThere(
    () => here.refuseRollback(request),
    () => atCluster.refuseRollback(request),
  );
}

/** What the activity said, not that it was one. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
