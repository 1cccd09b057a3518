import { Command } from 'commander';

import { addClusterOptions } from '../cluster-session.js';
import { control, type ControlOptions } from '../control.js';
import { withExamples } from '../examples.js';

export function retryCommand(): Command {
  const command = new Command('retry')
    .summary('try again what has failed')
    .description(
      'Tries the latest version of a DeploymentConfig again when it has failed or was cancelled: the same snapshot, ' +
        'under the same number. "trigger" makes a new version instead. Of a Deployment, the hooks of its newest ' +
        'revision that failed are tried again, and its rollout goes on when they succeed.',
    )
    .argument('<kind/name>', 'the object, such as dc/web or deployment/web')
    .option('--reason <text>', 'why, kept with the version')
    .action((text: string, options: ControlOptions) => control('retry', text, options));
  return withExamples(addClusterOptions(command), [
    ['retry dc/web --reason "the registry is back"', 'Try the failed version again'],
  ]);
}
