import { Command } from 'commander';

import { addClusterOptions } from '../cluster-session.js';
import { control, type ControlOptions } from '../control.js';
import { withExamples } from '../examples.js';

export function cancelCommand(): Command {
  const command = new Command('cancel')
    .summary('end a rollout where it is')
    .description(
      'Ends a rollout. That of a Deployment ends where it is: its run in Temporal ends with SlipwayPhase Cancelled, and ' +
        'the pods stay as they are; "resume" takes it up again, "undo" goes back to the revision before it. ' +
        'The version of a DeploymentConfig that is under way fails, and the last complete one serves again.',
    )
    .argument('<kind/name>', 'the object, such as deployment/web or dc/web')
    .option('--reason <text>', 'why, for whoever finds it cancelled')
    .action((text: string, options: ControlOptions) => control('cancel', text, options));
  return withExamples(addClusterOptions(command), [
    ['cancel deployment/web --reason "wrong image"', 'End a rollout, and say why'],
    ['undo deployment/web', 'Then go back'],
    ['cancel dc/web', 'Stop the version of a DeploymentConfig that is under way'],
  ]);
}
