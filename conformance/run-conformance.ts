import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { CommandFailure } from '../src/client/failure.js';
import { formatSeconds, type Progress } from '../src/client/terminal/progress.js';
import { ensureToolchain } from '../src/dev/toolchain/ensure-toolchain.js';
import { tools } from '../src/dev/toolchain/tools.js';
import { judgeResults, type Verdict } from './judge-results.js';
import { withOwnStack, type Controller } from './own-stack.js';
import { readResults, type Results } from './results.js';
import { runTests } from './run-tests.js';
import { buildTestArguments, testCount } from './test-command.js';

export interface ConformanceOptions {
  readonly controller: Controller;
  /** Only tests that it matches are run, and one is enough. */
  readonly focus?: string | undefined;
  /** Where logs and the report go; what an earlier run has left there is removed. */
  readonly output: string;
  readonly progress: Progress;
  readonly write: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Runs the tests on a stack of their own, and tells whether all of them have passed. */
export async function runConformance(options: ConformanceOptions): Promise<boolean> {
  const { controller, focus, output, progress, signal, write } = options;
  const startedMs = Date.now();
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const log = join(output, 'tests.log');
  const results = join(output, 'ginkgo.json');
  const programs = await ensureToolchain({ tools: ['kubernetes-e2e'], progress, signal });
  const logs = join(output, 'logs');
  const code = await withOwnStack({ controller, logs, signal }, async ({ kubeconfig }) => {
    progress.note(`what the tests say is in ${log}`);
    const exitCode = await runTests({
      program: programs['kubernetes-e2e'],
      arguments: buildTestArguments({ kubeconfig, focus, results }),
      log,
      progress,
      signal,
    });
    signal.throwIfAborted();
    return exitCode;
  });
  if (!existsSync(results)) {
    throw new CommandFailure(`the tests ended (exit code ${code}) without results: see ${log}`);
  }
  const found = readResults(readFileSync(results, 'utf8'));
  // It names some thousand tests that were not run; the report has the rest of it.
  rmSync(results);
  const verdict = judgeResults(
    found,
    focus === undefined ? { count: testCount } : { count: 1, atLeast: true },
    code,
  );
  const report = join(output, 'report.json');
  writeFileSync(report, `${JSON.stringify(buildReport(options, found, verdict), undefined, 2)}\n`);
  const took = formatSeconds(Date.now() - startedMs);
  for (const line of describeRun(found, verdict)) write(line);
  write(`${verdict.summary} with ${describeController(controller)} in ${took}; report: ${report}`);
  return verdict.passed;
}

function buildReport(options: ConformanceOptions, results: Results, verdict: Verdict): object {
  return {
    kubernetes: tools['kubernetes-e2e'].version,
    controller: options.controller,
    ...(options.focus === undefined ? {} : { focus: options.focus }),
    ...verdict,
    tests: results.tests,
  };
}

/** What did not pass, and why. */
function describeRun({ tests }: Results, { reasons }: Verdict): readonly string[] {
  const failed = tests.filter((test) => !test.passed);
  return [
    ...failed.flatMap(({ name, failure = '' }) => ['', `✗ ${name}`, ...indent(failure)]),
    ...(reasons.length === 0 ? [] : ['', ...reasons]),
    '',
  ];
}

const indent = (text: string): readonly string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => `  ${line}`);

const describeController = (controller: Controller): string =>
  controller === 'slipway' ? 'Slipway' : "Kubernetes' own controller";
