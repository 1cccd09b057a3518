import { Command } from 'commander';

import { addClusterOptions } from '../cluster-session.js';
import { control, type ControlOptions } from '../control.js';
import { withExamples } from '../examples.js';

export function retryCommand(): Command {
  const command = new Command('retry')
    .summary('try a failed version again')
    .description(
      'Tries the latest version of a DeploymentConfig again when it has failed or was cancelled: the same snapshot, ' +
        'under the same number. "trigger" makes a new version instead.',
    )
    .argument('<kind/name>', 'the object, such as dc/web')
    .option('--reason <text>', 'why, kept with the version')
    .action((text: string, options: ControlOptions) => control('retry', text, options));
  return withExamples(addClusterOptions(command), [
    ['retry dc/web --reason "the registry is back"', 'Try the failed version again'],
  ]);
}
