import { Argument, Command } from 'commander';

import { completionScripts, shells, type Shell } from '../completion-scripts.js';
import { withExamples } from '../examples.js';

export function completionCommand(): Command {
  const command = new Command('completion')
    .summary('print the completion script for a shell')
    .description(
      'Prints a script that lets the shell complete commands, options, and the names of objects in the cluster.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action((shell: Shell) => {
      process.stdout.write(completionScripts[shell]);
    });
  return withExamples(command, [
    ['completion bash > /etc/bash_completion.d/slipway', 'In bash, for everyone'],
    ['completion zsh > "${fpath[1]}/_slipway"', 'In zsh'],
  ]);
}
