import { readFileSync } from 'node:fs';

import { Command } from 'commander';

import { approveCommand } from './commands/approve.js';
import { cancelCommand } from './commands/cancel.js';
import { completionCommand } from './commands/completion.js';
import { deployCommand } from './commands/deploy.js';
import { devCommand } from './commands/dev.js';
import { diffCommand } from './commands/diff.js';
import { getCommand } from './commands/get.js';
import { historyCommand } from './commands/history.js';
import { installCommand } from './commands/install.js';
import { logsCommand } from './commands/logs.js';
import { pauseCommand } from './commands/pause.js';
import { resumeCommand } from './commands/resume.js';
import { resumeTriggersCommand } from './commands/resume-triggers.js';
import { retryCommand } from './commands/retry.js';
import { triggerCommand } from './commands/trigger.js';
import { undoCommand } from './commands/undo.js';
import { workerCommand } from './commands/worker.js';

/** The whole command line. Name it as the user called it: `slipway` or `kubectl slipway`. */
export function createProgram(name = 'slipway'): Command {
  const program = new Command(name)
    .description('Durable deployments for Kubernetes, on Temporal')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpCommand('help [command]', 'explain a command')
    .commandsGroup('Running Slipway:')
    .addHelpText(
      'after',
      `
An object is written KIND/NAME: deployment/web, or deployment.apps/web and deployment.slipway.dev/web
where both APIs have one of that name, dc/web for a DeploymentConfig, ir/web for an ImageRepository.
Without --kubeconfig, --context and $KUBECONFIG, commands talk to the local stack that "slipway dev up"
started in this project, when there is one.

Exit codes: 0 complete, 1 failed, 2 bad input, 3 cancelled.`,
    );
  const groups: readonly (readonly [string, readonly Command[]])[] = [
    ['Rollouts:', [deployCommand(), getCommand(), logsCommand(), historyCommand(), diffCommand()]],
    [
      'Control:',
      [
        pauseCommand(),
        resumeCommand(),
        cancelCommand(),
        undoCommand(),
        triggerCommand(),
        resumeTriggersCommand(),
        retryCommand(),
        approveCommand(),
      ],
    ],
    ['Running Slipway:', [devCommand(), installCommand(), workerCommand(), completionCommand()]],
  ];
  for (const [group, commands] of groups) {
    for (const command of commands) program.addCommand(command.helpGroup(group));
  }
  settle(program, name);
  return program;
}

/** The same manners for every command: usage errors are thrown, and are one line. */
function settle(command: Command, name: string): void {
  command.helpOption('-h, --help', 'explain this command');
  command.exitOverride().configureOutput({
    outputError: (text, write) => {
      const sentence = text
        .replace(/^error: /, '')
        .trim()
        .replaceAll(/\s*\n\s*/g, ' ');
      write(`${name}: ${sentence}\n`);
    },
  });
  for (const child of command.commands) settle(child, name);
}

function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
