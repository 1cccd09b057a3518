import { Command } from 'commander';

import { findSubject, parseRefFor } from '../abilities.js';
import { addClusterOptions, withCluster, type ClusterOptions } from '../cluster-session.js';
import { withExamples } from '../examples.js';

interface ResumeTriggersOptions extends ClusterOptions {
  readonly reason?: string;
}

export function resumeTriggersCommand(): Command {
  const command = new Command('resume-triggers')
    .summary('let triggers make versions again after a rollback')
    .description(
      'Going back suspends all triggers of a DeploymentConfig, so that none of them undoes it. This ends that: ' +
        'triggers act again as they stand, and a change that was made meanwhile makes a version.',
    )
    .argument('<kind/name...>', 'the objects, such as dc/web')
    .option('--reason <text>', 'why, kept as an event of the object')
    .action(resumeTriggers);
  return withExamples(addClusterOptions(command), [
    [
      'resume-triggers dc/web --reason "fixed in 2.1"',
      'Let a DeploymentConfig follow its triggers again',
    ],
    ['trigger dc/web --resume-triggers', 'The same, together with a new version'],
  ]);
}

async function resumeTriggers(
  texts: readonly string[],
  options: ResumeTriggersOptions,
): Promise<void> {
  const refs = texts.map((text) => parseRefFor('resume-triggers', text));
  await withCluster(options, async (session) => {
    // All are looked for before the first is changed, so that a mistake in one changes none.
    const found = [];
    for (const ref of refs) found.push(await findSubject('resumeTriggers', session, ref));
    for (const { subject, ability } of found) {
      process.stdout.write(`${await ability(subject, options)}\n`);
    }
  });
}
