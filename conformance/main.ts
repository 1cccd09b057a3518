/**
 * Runs Kubernetes' own tests of Deployments against Slipway:
 *   npm run conformance -- [--focus rollover] [--builtin]
 */
import { join, resolve } from 'node:path';

import { Command, CommanderError, InvalidArgumentError } from 'commander';

import { exitCodes } from '../src/client/failure.js';
import { withInterrupt } from '../src/client/interrupt.js';
import { reportFailure } from '../src/client/report-failure.js';
import { createProgress } from '../src/client/terminal/progress.js';
import { packageRoot } from '../src/dev/package-root.js';
import { runConformance } from './run-conformance.js';

interface Flags {
  readonly builtin?: true;
  readonly focus?: string;
  readonly output?: string;
}

const command = new Command('npm run conformance --')
  .description(
    "Runs Kubernetes' own end-to-end tests of Deployments on a stack of its own, which is taken down at the end.\n" +
      'Exits with 0 only if every one of them has run and passed.',
  )
  .option('--builtin', "Kubernetes' own controller instead of Slipway, for comparison")
  .option('--focus <regexp>', 'only the tests whose name it matches', checkPattern)
  .option('--output <folder>', 'where logs and the report go (default: dist/conformance/results)')
  .exitOverride()
  .action(run);

// A second Ctrl-C would leave behind what the first one is about to stop.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => undefined);
try {
  await command.parseAsync();
} catch (error) {
  process.exitCode = explain(error);
}

async function run(flags: Flags): Promise<void> {
  const controller = flags.builtin === true ? 'built-in' : 'slipway';
  const passed = await withInterrupt((signal) =>
    runConformance({
      controller,
      focus: flags.focus,
      output: resolve(
        flags.output ?? join(packageRoot, 'dist', 'conformance', 'results', controller),
      ),
      progress: createProgress(process.stderr),
      write: (line) => process.stdout.write(`${line}\n`),
      signal,
    }),
  );
  if (!passed) process.exitCode = exitCodes.failed;
}

/** The test binary would say the same, but only once the stack is up. */
function checkPattern(text: string): string {
  try {
    new RegExp(text);
    return text;
  } catch {
    throw new InvalidArgumentError('It must be a regular expression.');
  }
}

function explain(error: unknown): number {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? exitCodes.complete : exitCodes.badInput;
  }
  const { sentences, exitCode } = reportFailure(error);
  for (const sentence of sentences) process.stderr.write(`conformance: ${sentence}\n`);
  return exitCode;
}
