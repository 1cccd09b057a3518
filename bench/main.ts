import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { CommanderError } from 'commander';

import { exitCodes } from '../src/client/failure.js';
import { withInterrupt } from '../src/client/interrupt.js';
import { reportFailure } from '../src/client/report-failure.js';
import { createProgress } from '../src/client/terminal/progress.js';
import { startBenchStack } from './bench-stack.js';
import { judgeGoals } from './judge-goals.js';
import { createBenchCommand, type BenchOptions } from './options.js';
import { renderChart } from './render-chart.js';
import { renderReport } from './render-report.js';
import { runBench } from './run-bench.js';
import { summarise } from './summarise.js';
import { readSurroundings } from './surroundings.js';
import type { Turn } from './turn.js';

try {
  await createBenchCommand(bench).parseAsync();
} catch (error) {
  process.exitCode = explain(error);
}

/** Help and bad options have explained themselves already. */
function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.badInput;
  const { sentences, exitCode } = reportFailure(error);
  for (const sentence of sentences) process.stderr.write(`bench: ${sentence}\n`);
  return exitCode;
}

async function bench(options: BenchOptions): Promise<void> {
  const surroundings = readSurroundings(new Date());
  const turns = await measure(options);
  const cases = summarise(turns);
  const goals = judgeGoals(cases);
  process.stdout.write(`${renderReport(cases, goals).join('\n')}\n`);
  if (options.json !== undefined) {
    const figures = { ...surroundings, rounds: options.rounds, cases, goals, turns };
    writeFigures(options.json, `${JSON.stringify(figures, undefined, 2)}\n`);
  }
  if (options.svg !== undefined) writeFigures(options.svg, renderChart(cases, surroundings));
  if (options.isStrict && goals.some(({ isMet }) => !isMet)) process.exitCode = exitCodes.failed;
}

/** Whatever happens, and however impatient somebody is, nothing is left running. */
async function measure(options: BenchOptions): Promise<readonly Turn[]> {
  const progress = createProgress(process.stderr);
  const { engines, cases, rounds } = options;
  const profiles = options.profiles === undefined ? undefined : resolve(options.profiles);
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore).on('SIGTERM', ignore);
  try {
    return await withInterrupt(async (signal) => {
      const stack = await startBenchStack({ engines, profiles, progress, signal });
      try {
        return await runBench(stack, { cases, rounds, progress, signal });
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        await stack.stop();
      }
    });
  } finally {
    process.removeListener('SIGINT', ignore).removeListener('SIGTERM', ignore);
  }
}

function writeFigures(file: string, text: string): void {
  mkdirSync(dirname(resolve(file)), { recursive: true });
  writeFileSync(file, text);
  process.stdout.write(`${file} is written.\n`);
}
