import { Command } from 'commander';

import { addClusterOptions } from '../cluster-session.js';
import { control, type ControlOptions } from '../control.js';
import { withExamples } from '../examples.js';

export function resumeCommand(): Command {
  const command = new Command('resume')
    .summary('let a paused or cancelled rollout go on')
    .description(
      'Lets a rollout that was paused go on from where it stopped, and that of a Deployment also when it was ' +
        'cancelled. A version of a DeploymentConfig that was cancelled is over: "retry" tries it again.',
    )
    .argument('<kind/name>', 'the object, such as deployment/web or dc/web')
    .option('--reason <text>', 'why, kept as an event of the object')
    .action((text: string, options: ControlOptions) => control('resume', text, options));
  return withExamples(addClusterOptions(command), [
    ['resume deployment/web', 'Go on with a rollout'],
    ['resume dc/web', 'Go on with a DeploymentConfig'],
  ]);
}
