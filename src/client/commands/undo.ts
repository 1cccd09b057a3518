import { Command } from 'commander';

import { isConflict } from '../../kubernetes/api-error.js';
import type { Revision } from '../../domain/shared/revision.js';
import { findSubject, parseRefFor } from '../abilities.js';
import {
  addClusterOptions,
  withCluster,
  type ClusterOptions,
  type ClusterSession,
} from '../cluster-session.js';
import { withExamples } from '../examples.js';
import { CommandFailure } from '../failure.js';
import { paintLine } from '../output/line.js';
import { renderDiff } from '../output/render-diff.js';
import { wantsColour } from '../output/terminal-abilities.js';
import type { Ref } from '../parse-ref.js';
import type { UndoPlan } from '../plan-undo.js';
import { parseRevision } from '../revision-option.js';

/** A status update between reading and writing makes the write fail; this many are outlived. */
const tries = 20;

interface UndoOptions extends ClusterOptions {
  readonly toRevision: Revision;
  readonly dryRun?: true;
}

export function undoCommand(): Command {
  const command = new Command('undo')
    .summary('go back to an earlier revision')
    .description(
      'Gives a Deployment the pod template of an earlier revision back, which is then rolled out like ' +
        'any other change. A cancelled rollout is taken back and no longer paused.',
    )
    .argument('<kind/name...>', 'the objects, such as deployment/web')
    .option(
      '--to-revision <n>',
      'the revision to go back to; by default the one before the newest',
      (text: string) => parseRevision(text, 0),
      0 as Revision,
    )
    .option('--dry-run', 'show what would change, and change nothing')
    .action(undo);
  return withExamples(addClusterOptions(command), [
    ['undo deployment/web', 'Go back to the revision before'],
    ['undo deployment/web --to-revision 3 --dry-run', 'See what going back to revision 3 changes'],
  ]);
}

async function undo(texts: readonly string[], options: UndoOptions): Promise<void> {
  const refs = texts.map((text) => parseRefFor('undo', text));
  await withCluster(options, async (session) => {
    // All are planned before the first is changed, so that a mistake in one changes none.
    const plans = [];
    for (const ref of refs) plans.push(await readPlan(session, ref, options));
    for (const [index, ref] of refs.entries()) {
      const plan = plans[index];
      if (plan !== undefined) await carryOut(session, ref, options, plan);
    }
  });
}

type ReadPlan = Awaited<ReturnType<typeof readPlan>>;

async function readPlan(session: ClusterSession, ref: Ref, { toRevision }: UndoOptions) {
  const { subject, ability } = await findSubject('undo', session, ref);
  return { subject, ...(await ability(subject, toRevision)) };
}

async function carryOut(
  session: ClusterSession,
  ref: Ref,
  options: UndoOptions,
  first: ReadPlan,
): Promise<void> {
  let current = first;
  for (let count = 1; ; count += 1) {
    const { subject, plan } = current;
    const { revision } = plan.target;
    if (plan.kind === 'none') {
      print(`${subject.ref} has the template of revision ${revision} already; nothing changed`);
      return;
    }
    if (options.dryRun === true) {
      printDiff(current, plan);
      return;
    }
    try {
      const { namespace, name } = subject.object.metadata;
      await session.cluster.client.patch(subject.type, namespace, name, 'json', plan.steps);
      print(`${subject.ref} goes back to revision ${revision}`);
      return;
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (count >= tries) {
        throw new CommandFailure(
          `${subject.ref} changes too fast to be written to; nothing was changed`,
          undefined,
          { cause: error },
        );
      }
    }
    current = await readPlan(session, ref, options);
  }
}

function printDiff({ subject, current }: ReadPlan, { target }: UndoPlan): void {
  const colour = wantsColour(process.stdout);
  const lines = renderDiff(
    { title: `${subject.ref} now`, value: current },
    { title: `${subject.ref} revision ${target.revision}`, value: target.template },
  );
  for (const line of lines) print(paintLine(line, { colour }));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
