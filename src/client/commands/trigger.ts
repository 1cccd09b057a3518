import { Command } from 'commander';

import { findSubject, parseRefFor } from '../abilities.js';
import { addClusterOptions, withCluster, type ClusterOptions } from '../cluster-session.js';
import { withExamples } from '../examples.js';
import { endsHelp, followToEnd } from '../follow-to-end.js';
import { timeoutOption } from '../timeout-option.js';

interface TriggerOptions extends ClusterOptions {
  readonly reason?: string;
  readonly resumeTriggers?: true;
  readonly timeout?: number;
  readonly follow: boolean;
}

export function triggerCommand(): Command {
  const command = new Command('trigger')
    .summary('make a new version by hand')
    .description(
      'Asks for a new version of a DeploymentConfig as it stands, with the newest images of its image triggers, whether ' +
        'or not anything has changed; waits until it is there, prints its name, and follows it to the end.',
    )
    .argument('<kind/name>', 'the object, such as dc/web')
    .option('--reason <text>', 'why, kept as an event of the object')
    .option('--resume-triggers', 'end the suspension of its triggers with this version')
    .addOption(timeoutOption())
    .option('--no-follow', 'wait until the version is there, and not for its end')
    .action(trigger)
    .addHelpText('after', endsHelp);
  return withExamples(addClusterOptions(command), [
    ['trigger dc/web', 'Deploy it again, and wait'],
    [
      'trigger dc/web --resume-triggers',
      'The same after a rollback, whose suspension of triggers ends with it',
    ],
    ['trigger dc/web --reason "new certificates" --no-follow', 'Only make the version'],
  ]);
}

async function trigger(text: string, options: TriggerOptions): Promise<void> {
  const ref = parseRefFor('trigger', text);
  await withCluster(options, async (session) => {
    const { subject, ability } = await findSubject('trigger', session, ref);
    const { made, ended } = await ability(subject, options);
    const { namespace = '', name } = subject.object.metadata;
    const target = { type: subject.type, namespace, name };
    const stages = options.follow ? [made, ended] : [made];
    await followToEnd(
      session.cluster,
      [target],
      stages.map((stage) => [stage]),
      options.timeout,
    );
  });
}
