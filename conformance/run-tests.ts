import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';

import type { Progress } from '../src/client/terminal/progress.js';
import { createLineReader } from './read-line.js';
import { suite } from './test-command.js';

export interface TestRunOptions {
  readonly program: string;
  readonly arguments: readonly string[];
  /** All that the tests say. */
  readonly log: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Runs the test binary and shows each test as a step; its exit code is the result. */
export async function runTests(options: TestRunOptions): Promise<number | null> {
  const { progress, signal } = options;
  signal.throwIfAborted();
  const log = createWriteStream(options.log);
  // A group of its own: Ctrl-C ends it through us, at once, as nothing on this cluster is to be kept.
  const child = spawn(options.program, options.arguments, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const stop = (): void => {
    const isRunning = child.exitCode === null && child.signalCode === null;
    if (child.pid !== undefined && isRunning) process.kill(-child.pid, 'SIGKILL');
  };
  signal.addEventListener('abort', stop);
  const steps = new TestSteps(progress);
  const readLine = createLineReader();
  createInterface(child.stdout).on('line', (line) => {
    log.write(`${line}\n`);
    const event = readLine(line);
    if (event?.kind === 'planned') progress.note(describePlan(event.count));
    else if (event?.kind === 'started') steps.start(event.name);
    else if (event?.kind === 'ended') steps.end(event.passed);
  });
  createInterface(child.stderr).on('line', (line) => log.write(`${line}\n`));
  try {
    return await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject).on('close', resolve);
    });
  } finally {
    signal.removeEventListener('abort', stop);
    steps.end(false);
    await new Promise<void>((resolve) => log.end(resolve));
  }
}

/** The test that runs now, as a step of the progress. */
class TestSteps {
  private endStep: ((passed: boolean) => void) | undefined;

  constructor(private readonly progress: Progress) {}

  start(name: string): void {
    this.end(false);
    const ended = new Promise<void>((resolve, reject) => {
      this.endStep = (passed) => {
        if (passed) resolve();
        else reject(new Error(name));
      };
    });
    const title = name.startsWith(suite) ? name.slice(suite.length).trim() : name;
    // Why it failed is told at the end, from the results.
    this.progress.step(title, () => ended).catch(() => undefined);
  }

  end(passed: boolean): void {
    this.endStep?.(passed);
    this.endStep = undefined;
  }
}

const describePlan = (count: number): string =>
  `${count} ${count === 1 ? 'test' : 'tests'} of ${suite}`;
