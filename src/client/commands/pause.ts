import { Command } from 'commander';

import { addClusterOptions } from '../cluster-session.js';
import { control, type ControlOptions } from '../control.js';
import { withExamples } from '../examples.js';

export function pauseCommand(): Command {
  const command = new Command('pause')
    .summary('hold a rollout where it is')
    .description(
      'Holds a rollout where it is, by spec.paused: no pod of the new template is added and no old one ' +
        'taken away until it is resumed. Changes to the template wait too; changes of size do not.',
    )
    .argument('<kind/name>', 'the object, such as deployment/web or dc/web')
    .option('--reason <text>', 'why, for whoever finds it paused')
    .action((text: string, options: ControlOptions) => control('pause', text, options));
  return withExamples(addClusterOptions(command), [
    ['pause deployment/web --reason "errors in the log"', 'Hold a rollout, and say why'],
    ['pause dc/web', 'Hold a DeploymentConfig'],
  ]);
}
