import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import {
  CancellationScope,
  defineQuery,
  isCancellation,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';

import { failureTypes } from '../../contracts/failure-types.js';
import { statusQueryName } from '../../contracts/messages.js';
import type {
  RollbackInput,
  RollbackOutcome,
  RollbackRunStatus,
} from '../../contracts/rollback.js';
import { cancelReasons } from '../../domain/deployment-config/cancel-reasons.js';
import { findOvertaken } from '../../domain/rollback/find-overtaken.js';
import { nameReleases } from '../../domain/rollback/name-releases.js';
import { isPossible, type RollbackReport } from '../../domain/rollback/report.js';
import { defined } from '../../domain/shared/optional.js';
import { beginNext, describeError, giveUp, takeBlockAway } from './begin-version.js';
import { describeEnd, describeProblems } from './describe-rollback.js';
import { awaitEnd, stopAll } from './end-version.js';
import { examineForGood } from './examine-for-good.js';
import { resolveRollback } from './resolve-rollback.js';
import { mostLooks, type Begun, type Run } from './rollback-run.js';
import { RollbackStory } from './rollback-story.js';

export const rollbackStatusQuery = defineQuery<RollbackRunStatus>(statusQueryName);

/**
 * Takes one config back to an earlier version, or several together: looks at all of them before the first is
 * touched, then has each become what it was, as a new version, and waits for its end. When one fails, the rest
 * stop.
 */
export async function rollback(input: RollbackInput): Promise<RollbackOutcome> {
  const task = resolveRollback(input, workflowInfo().workflowId);
  const run: Run = { task, story: new RollbackStory(task), underWay: new Map() };
  setHandler(rollbackStatusQuery, () => run.story.current);
  try {
    return await goBack(run);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => cancel(run));
    throw error;
  }
}

/** What has not begun stays as it is; what is under way goes back to where it was, by its own run. */
async function cancel(run: Run): Promise<void> {
  const { story, underWay } = run;
  const names = [...underWay.keys()];
  await stopAll(run, cancelReasons.byUser);
  const [member] = run.task.members;
  const isUntouched = story.current.standings.every(({ state }) => state === 'Untouched');
  if (isUntouched && member !== undefined) {
    await takeBlockAway(run, member.name, [{ field: 'rollback', message: cancelReasons.byUser }]);
  }
  for (const name of names) story.move(name, { state: 'Failed', reason: cancelReasons.byUser });
  story.tell('Cancelled', `It was cancelled. ${describeEnd(story.current)}`);
}

async function goBack(run: Run): Promise<RollbackOutcome> {
  const { task, story } = run;
  let first: RollbackReport | undefined;
  for (let looks = 1; ; looks += 1) {
    const report = await examine(run, first);
    const overtaken = first && findOvertaken(first, report);
    if (overtaken !== undefined) {
      await giveUp(run, overtaken.name, overtaken.why);
      return finish(run);
    }
    first ??= report;
    story.examined(report);
    if (task.dryRun === true) return story.end('DryRun', describeEnd(story.current));
    if (!isPossible(report)) return refuse(run, report);
    story.tell('Running', `Going back with ${task.members.map(({ name }) => name).join(', ')}.`);
    const mayLookAgain = looks < mostLooks;
    const result = await (task.parallel === true
      ? goTogether(run, report, mayLookAgain)
      : goInTurn(run, report, mayLookAgain));
    // Nothing was touched: what was seen was out of date.
    if (result === 'ended') return finish(run);
  }
}

/** Once more for the same versions as before: by now, "the last one before" may be the one that is to be left. */
async function examine(run: Run, before: RollbackReport | undefined): Promise<RollbackReport> {
  const { cluster, namespace, members: wanted, dryRun } = run.task;
  const members = before === undefined ? wanted : nameReleases(wanted, before);
  try {
    return await examineForGood({ cluster, namespace, members, ...defined({ dryRun }) });
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    // A block that stayed would ask again and again, and hold all triggers meanwhile.
    const problem = { field: 'rollback', message: describeError(error) };
    for (const { name } of wanted) await takeBlockAway(run, name, [problem]);
    throw error;
  }
}

/** Nothing is changed, save for the block that asks for it, which would ask again and again. */
async function refuse(run: Run, report: RollbackReport): Promise<never> {
  const [config] = report.configs;
  if (config !== undefined) await takeBlockAway(run, config.name, config.problems, config.base);
  const outcome = run.story.end('Refused', describeProblems(report));
  throw fail(failureTypes.badInput, outcome);
}

type Result = 'ended' | 'outdated';

/** One after another; what comes after one that fails is not begun. */
async function goInTurn(run: Run, report: RollbackReport, mayLookAgain: boolean): Promise<Result> {
  for (const index of run.task.members.keys()) {
    const begun = await beginNext(run, report, index, mayLookAgain);
    if (begun === 'outdated') return 'outdated';
    if (begun === undefined || !(await awaitEnd(run, begun))) return 'ended';
  }
  return 'ended';
}

/** All at once; when one fails, those under way are stopped, so that they stand together where they stood. */
async function goTogether(
  run: Run,
  report: RollbackReport,
  mayLookAgain: boolean,
): Promise<Result> {
  const all: Begun[] = [];
  let hasFailed = false;
  for (const index of run.task.members.keys()) {
    const begun = await beginNext(run, report, index, mayLookAgain);
    if (begun === 'outdated') return 'outdated';
    hasFailed = begun === undefined;
    if (begun === undefined) break;
    all.push(begun);
  }
  const ends = all.map(async (begun) => {
    const isComplete = await awaitEnd(run, begun);
    if (isComplete || hasFailed) return;
    hasFailed = true;
    await stopAll(run, `stopped, because ${begun.ref.name} could not go back`);
  });
  if (hasFailed) await stopAll(run, 'stopped, because another config could not go back');
  await Promise.all(ends);
  return 'ended';
}

function finish({ story }: Run): RollbackOutcome {
  const { standings } = story.current;
  const isComplete = standings.every(({ state }) => state === 'Complete');
  const outcome = story.end(isComplete ? 'Complete' : 'Failed', describeEnd(story.current));
  if (isComplete) return outcome;
  throw fail(failureTypes.failed, outcome);
}

/** With the whole outcome, so that clients can show where each config stands. */
const fail = (type: string, outcome: RollbackOutcome): ApplicationFailure =>
  ApplicationFailure.create({
    message: outcome.summary,
    type,
    nonRetryable: true,
    details: [outcome],
  });
