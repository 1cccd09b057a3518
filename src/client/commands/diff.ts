import { Command } from 'commander';

import type { Revision } from '../../domain/shared/revision.js';
import { findSubject, parseRefFor } from '../abilities.js';
import { addClusterOptions, withCluster, type ClusterOptions } from '../cluster-session.js';
import { withExamples } from '../examples.js';
import { badInput } from '../failure.js';
import { compareValues } from '../output/compare-values.js';
import { paintLine } from '../output/line.js';
import { renderDiff } from '../output/render-diff.js';
import { formatDocument, outputOption, type OutputFormat } from '../output/structured.js';
import { wantsColour } from '../output/terminal-abilities.js';
import { parseRevision } from '../revision-option.js';

interface DiffOptions extends ClusterOptions {
  readonly revision: readonly Revision[];
  readonly output?: OutputFormat;
}

export function diffCommand(): Command {
  const command = new Command('diff')
    .summary('compare two revisions')
    .description(
      'Compares two revisions of an object, or one and what is in force now: the pod templates of a Deployment, ' +
        'the whole specs of a DeploymentConfig, whose revisions are its versions.',
    )
    .argument('<kind/name>', 'the object, such as deployment/web or dc/web')
    .requiredOption(
      '--revision <n>',
      'a revision to compare; give it twice to compare two',
      (text: string, earlier?: readonly Revision[]) => [...(earlier ?? []), parseRevision(text)],
    )
    .addOption(outputOption())
    .action(diff);
  return withExamples(addClusterOptions(command), [
    ['diff deployment/web --revision 2', 'What changed since revision 2'],
    ['diff deployment/web --revision 2 --revision 3', 'What revision 3 changed in revision 2'],
    ['diff dc/web --revision 4', 'What changed in a DeploymentConfig since version 4'],
  ]);
}

async function diff(text: string, options: DiffOptions): Promise<void> {
  const ref = parseRefFor('diff', text);
  const [first, second, ...rest] = options.revision;
  if (first === undefined || rest.length > 0) {
    throw badInput('--revision: give one or two of them');
  }
  await withCluster(options, async (session) => {
    const { subject, ability } = await findSubject('diff', session, ref);
    const { pick, current, compared } = await ability(subject);
    const from = pick(first);
    const to = second === undefined ? { title: 'now', value: current } : pick(second);
    if (options.output !== undefined) {
      const changes = compareValues(from.value, to.value);
      const document = { from: first, to: second ?? null, changes };
      process.stdout.write(formatDocument(document, options.output));
      return;
    }
    const lines = renderDiff(
      { title: `${subject.ref} ${from.title}`, value: from.value },
      { title: `${subject.ref} ${to.title}`, value: to.value },
    );
    if (lines.length === 0) process.stderr.write(`${subject.ref}: the ${compared} are the same\n`);
    const colour = wantsColour(process.stdout);
    for (const line of lines) process.stdout.write(`${paintLine(line, { colour })}\n`);
  });
}
