import { ApplicationFailure } from '@temporalio/common';
import {
  continueAsNew,
  defineQuery,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';

import { failureTypes } from '../../contracts/failure-types.js';
import type { HookActivities, HookOutcome, HookRef, HookRequest } from '../../contracts/hook.js';
import { statusQueryName } from '../../contracts/messages.js';
import { hasWrites, isSettled } from '../../domain/hook/plan.js';
import { defined } from '../../domain/shared/optional.js';
import { advanceHereOrThere, hereOptions, watcherOptions } from '../reach.js';
import { HookStory } from './hook-story.js';
import { resolveHook } from './resolve-hook.js';

export const hookStatusQuery = defineQuery<HookOutcome>(statusQueryName);

type NextLook = Omit<HookRequest, 'ref'>;

const lookNow: NextLook = { until: 'work' };

/**
 * Runs one hook of a deployment, with all its tries, each in a pod of its own. What came of it is kept with
 * the deployment, so that another run goes on where this one was, and none begins anew what has succeeded.
 */
export async function hook(input: HookRef): Promise<HookOutcome> {
  const ref = resolveHook(input, workflowInfo().workflowId);
  const here = proxyLocalActivities<HookActivities>(hereOptions);
  const atWatcher = proxyActivities<HookActivities>(watcherOptions(ref));
  const story = new HookStory(ref);
  setHandler(hookStatusQuery, () => story.current);
  let look = lookNow;
  let summary = 'look at the hook';
  let refused: Pick<NextLook, 'refusal' | 'mayPass'> = {};
  while (true) {
    const options = { ...hereOptions, summary };
    const seen = await advanceHereOrThere(
      look,
      (asked) => here.advanceHook.executeWithOptions(options, [{ ref, ...asked }]),
      (asked) => atWatcher.advanceHook({ ref, ...asked }),
    );
    switch (seen.kind) {
      case 'gone':
        return story.tell({ phase: 'Deleted', summary: 'What the hook belongs to is gone.' });
      case 'refused':
        // The hook fails of it; what is refused even then is beyond this run.
        if (refused.refusal === seen.problem) {
          story.tell({ phase: 'Failed', summary: seen.problem });
          throw ApplicationFailure.nonRetryable(seen.problem, failureTypes.refused);
        }
        refused = { refusal: seen.problem, ...defined({ mayPass: seen.mayPass }) };
        look = { since: seen.versions, until: 'caughtUp', ...refused };
        break;
      case 'unchanged':
        look = lookNow;
        break;
      case 'seen': {
        const { plan, versions, isDone } = seen;
        ({ summary } = plan);
        const outcome = story.tell(plan);
        if (isSettled(plan)) return finish(outcome);
        const { actions, next } = plan;
        // What may pass was taken into account by that plan; the next try asks again.
        if (refused.mayPass === true) refused = {};
        look = {
          since: versions,
          until: 'work',
          ...refused,
          ...(hasWrites(plan) && !isDone ? { work: { actions } } : {}),
          ...(next.kind === 'wait' ? defined({ untilMs: next.untilMs }) : {}),
        };
      }
    }
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof hook>(ref);
  }
}

/** A hook that failed fails its run, so that the UI's list shows it; how its tries ended is said there too. */
function finish(outcome: HookOutcome): HookOutcome {
  if (outcome.phase !== 'Failed') return outcome;
  const { summary, tries = [] } = outcome;
  throw ApplicationFailure.nonRetryable(summary, failureTypes.failed, { tries });
}
