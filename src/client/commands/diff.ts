import { Command } from 'commander';

import { addClusterOptions, withCluster, type ClusterOptions } from '../cluster-session.js';
import { withExamples } from '../examples.js';
import { badInput } from '../failure.js';
import { findDeployment, readRevisions } from '../find-object.js';
import { compareValues } from '../output/compare-values.js';
import { paintLine } from '../output/line.js';
import { renderDiff } from '../output/render-diff.js';
import { formatDocument, outputOption, type OutputFormat } from '../output/structured.js';
import { wantsColour } from '../output/terminal-abilities.js';
import { parseRef } from '../parse-ref.js';
import { parseRevision } from '../revision-option.js';
import { currentTemplate, pickRevision } from '../revisions.js';

interface DiffOptions extends ClusterOptions {
  readonly revision: readonly number[];
  readonly output?: OutputFormat;
}

export function diffCommand(): Command {
  const command = new Command('diff')
    .summary('compare the pod templates of two revisions')
    .description(
      'Compares the pod templates of two revisions, or of one revision and what is in force now.',
    )
    .argument('<kind/name>', 'the object, such as deployment/web')
    .requiredOption(
      '--revision <n>',
      'a revision to compare; give it twice to compare two',
      (text: string, earlier?: readonly number[]) => [...(earlier ?? []), parseRevision(text)],
    )
    .addOption(outputOption())
    .action(diff);
  return withExamples(addClusterOptions(command), [
    ['diff deployment/web --revision 2', 'What changed since revision 2'],
    ['diff deployment/web --revision 2 --revision 3', 'What revision 3 changed in revision 2'],
  ]);
}

async function diff(text: string, options: DiffOptions): Promise<void> {
  const ref = parseRef(text);
  const [first, second, ...rest] = options.revision;
  if (first === undefined || rest.length > 0) {
    throw badInput('--revision: give one or two of them');
  }
  await withCluster(options, async ({ cluster, namespace }) => {
    const { ref: title, deployment } = await findDeployment(cluster, namespace, ref);
    const revisions = await readRevisions(cluster, deployment);
    const from = describeSide(first, pickRevision(title, revisions, first).template);
    const to =
      second === undefined
        ? { title: 'now', revision: null, template: currentTemplate(deployment, revisions) }
        : describeSide(second, pickRevision(title, revisions, second).template);
    if (options.output !== undefined) {
      const changes = compareValues(from.template, to.template);
      const document = { from: from.revision, to: to.revision, changes };
      process.stdout.write(formatDocument(document, options.output));
      return;
    }
    const lines = renderDiff(
      { title: `${title} ${from.title}`, value: from.template },
      { title: `${title} ${to.title}`, value: to.template },
    );
    if (lines.length === 0) process.stderr.write(`${title}: the templates are the same\n`);
    const colour = wantsColour(process.stdout);
    for (const line of lines) process.stdout.write(`${paintLine(line, { colour })}\n`);
  });
}

function describeSide<T>(revision: number, template: T) {
  return { title: `revision ${revision}`, revision: revision as number | null, template };
}
