#!/usr/bin/env node
import { basename } from 'node:path';

import { CommanderError } from 'commander';

import { printCompletions } from './completion.js';
import { exitCodes } from './failure.js';
import { createProgram } from './program.js';
import { reportFailure } from './report-failure.js';

/** kubectl runs `kubectl-slipway` for `kubectl slipway`, which is what its users know it by. */
const name = /^kubectl[-_]slipway/.test(basename(process.argv[1] ?? ''))
  ? 'kubectl slipway'
  : 'slipway';
const words = process.argv.slice(2);

// Whoever reads our output may stop reading, as `head` does; then there is nothing more to do.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

await run();

async function run(): Promise<void> {
  const program = createProgram(name);
  if (words[0] === '__complete') {
    await printCompletions(program, words.slice(words[1] === '--' ? 2 : 1));
    // A cluster that doesn't answer must not keep the shell waiting.
    process.exit();
  }
  if (words.length === 0) {
    program.outputHelp();
    return;
  }
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    end(error);
  }
}

function end(error: unknown): void {
  if (error instanceof CommanderError) {
    // Help and the version end like this too. What is wrong with the words was printed already.
    process.exitCode = error.exitCode === 0 ? exitCodes.complete : exitCodes.badInput;
    return;
  }
  const { sentences, exitCode, isUnexpected } = reportFailure(error);
  for (const sentence of sentences) process.stderr.write(`${name}: ${sentence}\n`);
  if (isUnexpected && (process.env['SLIPWAY_DEBUG'] ?? '') !== '' && error instanceof Error) {
    process.stderr.write(`${error.stack ?? ''}\n`);
  }
  process.exitCode = exitCode;
}
