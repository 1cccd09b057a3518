import { Command } from 'commander';

import { isConflict } from '../../kubernetes/api-error.js';
import type { Cluster } from '../../kubernetes/connect.js';
import { addClusterOptions, withCluster, type ClusterOptions } from '../cluster-session.js';
import { withExamples } from '../examples.js';
import { CommandFailure } from '../failure.js';
import { findDeployment, readRevisions } from '../find-object.js';
import { paintLine } from '../output/line.js';
import { renderDiff } from '../output/render-diff.js';
import { wantsColour } from '../output/terminal-abilities.js';
import { parseRef, type Ref } from '../parse-ref.js';
import { planUndo, type UndoPlan } from '../plan-undo.js';
import { parseRevision } from '../revision-option.js';
import { currentTemplate } from '../revisions.js';

/** A status update between reading and writing makes the write fail; this many are outlived. */
const tries = 20;

interface UndoOptions extends ClusterOptions {
  readonly toRevision: number;
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
      0,
    )
    .option('--dry-run', 'show what would change, and change nothing')
    .action(undo);
  return withExamples(addClusterOptions(command), [
    ['undo deployment/web', 'Go back to the revision before'],
    ['undo deployment/web --to-revision 3 --dry-run', 'See what going back to revision 3 changes'],
  ]);
}

async function undo(texts: readonly string[], options: UndoOptions): Promise<void> {
  const refs = texts.map(parseRef);
  await withCluster(options, async ({ cluster, namespace }) => {
    // All are planned before the first is changed, so that a mistake in one changes none.
    const plans = [];
    for (const ref of refs) plans.push(await readPlan(cluster, namespace, ref, options));
    for (const [index, ref] of refs.entries()) {
      const plan = plans[index];
      if (plan !== undefined) await carryOut(cluster, namespace, ref, options, plan);
    }
  });
}

type ReadPlan = Awaited<ReturnType<typeof readPlan>>;

async function readPlan(cluster: Cluster, namespace: string, ref: Ref, options: UndoOptions) {
  const found = await findDeployment(cluster, namespace, ref);
  const revisions = await readRevisions(cluster, found.deployment);
  const plan = planUndo(found.ref, found.deployment, revisions, options.toRevision);
  return { found, revisions, plan };
}

async function carryOut(
  cluster: Cluster,
  namespace: string,
  ref: Ref,
  options: UndoOptions,
  first: ReadPlan,
): Promise<void> {
  let current = first;
  for (let count = 1; ; count += 1) {
    const { found, plan } = current;
    const { revision } = plan.target;
    if (plan.kind === 'none') {
      print(`${found.ref} has the template of revision ${revision} already; nothing changed`);
      return;
    }
    if (options.dryRun === true) {
      printDiff(current, plan);
      return;
    }
    try {
      await cluster.client.patch(found.type, namespace, ref.name, 'json', plan.steps);
      print(`${found.ref} goes back to revision ${revision}`);
      return;
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (count >= tries) {
        throw new CommandFailure(
          `${found.ref} changes too fast to be written to; nothing was changed`,
          undefined,
          { cause: error },
        );
      }
    }
    current = await readPlan(cluster, namespace, ref, options);
  }
}

function printDiff({ found, revisions }: ReadPlan, { target }: UndoPlan): void {
  const colour = wantsColour(process.stdout);
  const lines = renderDiff(
    {
      title: `${found.ref} now`,
      value: currentTemplate(found.deployment, revisions),
    },
    { title: `${found.ref} revision ${target.revision}`, value: target.template },
  );
  for (const line of lines) print(paintLine(line, { colour }));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
