import type { Cluster } from '../kubernetes/connect.js';
import { CommandFailure, exitCodes } from './failure.js';
import { followInView, type FollowTarget } from './follow.js';
import type { Follower, FollowEnd } from './follower.js';
import { Interrupted, withInterrupt } from './interrupt.js';
import { formatDuration } from './output/duration.js';
import { canRedraw } from './output/terminal-abilities.js';
import { describeSickPods } from './tree/describe-sick-pods.js';
import { createFollowView } from './tree/follow-view.js';
import { listTrees } from './tree/list-trees.js';

export const endsHelp =
  '\nExit codes: 0 all rollouts are complete, 1 one failed or took too long, 2 bad input, 3 one was cancelled.\n' +
  'Ctrl-C ends the following, not the rollouts.';

export type FollowedObject = Pick<FollowTarget, 'type' | 'namespace' | 'name'>;

/**
 * Follows objects side by side, stage after stage with a follower for each of them, tells what their
 * pods complain about when one fails, and sets the exit code that scripts look at.
 */
export async function followToEnd(
  cluster: Cluster,
  objects: readonly FollowedObject[],
  stages: readonly (readonly Follower[])[],
  timeoutMs: number | undefined,
): Promise<void> {
  const view = createFollowView(print, canRedraw(process.stdout));
  // When one can't be followed any more, the others are not followed either.
  const over = new AbortController();
  // Node forgets an `AbortSignal.timeout` that only `AbortSignal.any` knows, so this has a timer of its own.
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          over.abort(new DOMException('the time is up', 'TimeoutError'));
        }, timeoutMs);
  try {
    await withInterrupt(async (interrupt) => {
      const signal = AbortSignal.any([interrupt, over.signal]);
      for (const followers of stages) {
        const targets = objects.flatMap((object, index): FollowTarget[] => {
          const follower = followers[index];
          return follower === undefined ? [] : [{ cluster, ...object, follower, signal }];
        });
        const ends = await Promise.all(targets.map((target) => followInView(target, view)));
        const failed = targets.filter((_one, index) => ends[index] === 'failed');
        for (const target of failed) await explainFailure(target);
        judge(ends);
        if (ends.some((end) => end !== 'complete')) return;
      }
    });
  } catch (error) {
    throw explainStop(error, timeoutMs);
  } finally {
    clearTimeout(timer);
    over.abort();
    view.close();
  }
}

/** What the pods themselves complain about; a cluster that can't be asked any more says nothing. */
async function explainFailure(target: FollowTarget): Promise<void> {
  const { cluster, type, namespace, name, follower } = target;
  const seen = follower.listTroubles?.();
  const trees =
    seen === undefined
      ? await listTrees({ client: cluster.client, types: [type], namespace, name }).catch(() => [])
      : [];
  for (const line of seen ?? trees.flatMap(describeSickPods)) print(`  ${line}`);
}

/** How each ended was said already; what is left is the exit code. */
function judge(ends: readonly FollowEnd[]): void {
  if (ends.includes('failed')) process.exitCode = exitCodes.failed;
  else if (ends.includes('cancelled')) process.exitCode = exitCodes.cancelled;
}

function explainStop(error: unknown, timeoutMs: number | undefined): unknown {
  if (error instanceof Interrupted) {
    return new CommandFailure(
      'no longer following; what was applied goes on without us',
      error.exitCode,
    );
  }
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new CommandFailure(
      `--timeout: not complete after ${formatDuration(timeoutMs ?? 0)}; what was applied goes on without us`,
    );
  }
  return error;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
