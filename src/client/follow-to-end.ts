import type { Cluster } from '../kubernetes/connect.js';
import { exitCodes } from './failure.js';
import { followInView, type FollowTarget } from './follow.js';
import type { Follower, FollowEnd } from './follower.js';
import { canRedraw } from './output/terminal-abilities.js';
import { followUntilStopped } from './follow-until-stopped.js';
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
  try {
    await followUntilStopped('what was applied', timeoutMs, async (signal) => {
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
  } finally {
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
  if (ends.includes('refused')) process.exitCode = exitCodes.badInput;
  else if (ends.includes('failed')) process.exitCode = exitCodes.failed;
  else if (ends.includes('cancelled')) process.exitCode = exitCodes.cancelled;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
