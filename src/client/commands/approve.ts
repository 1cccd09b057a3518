import { Command, InvalidArgumentError, Option } from 'commander';

import { addClusterOptions } from '../cluster-session.js';
import { control, type ControlOptions } from '../control.js';
import { withExamples } from '../examples.js';

export function approveCommand(): Command {
  const command = new Command('approve')
    .summary('let a canary go on to its next step')
    .description(
      'Approves of the step at which the canary of a DeploymentConfig waits, as "get" shows it, so that the ' +
        'next one begins. Where two versions are compared, --winner says which one is to serve.',
    )
    .argument('<kind/name>', 'the object, such as dc/web')
    .option('--step <n>', 'only if it is at this step, counted from 1', toStep)
    .addOption(
      new Option('--winner <which>', 'the version that won a comparison').choices(['new', 'old']),
    )
    .option('--reason <text>', 'why, kept with the version')
    .action((text: string, options: ControlOptions) => control('approve', text, options));
  return withExamples(addClusterOptions(command), [
    ['approve dc/web', 'Let the canary go on'],
    ['approve dc/web --step 2 --reason "error rate is fine"', 'Only if it is at step 2'],
    ['approve dc/web --winner new', 'End a comparison in favour of the new version'],
  ]);
}

function toStep(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) {
    throw new InvalidArgumentError('A step is a whole number, counted from 1.');
  }
  return Number(text);
}
