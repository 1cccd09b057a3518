import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { startSlipway } from './slipway-command.js';

const readyWithinMs = 60_000;

/** A worker in a process of its own, which can be killed like one. */
export class WorkerProcess {
  private readonly lines: string[] = [];
  private readonly waiting = new Set<() => void>();

  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface(stream).on('line', (line) => {
        this.lines.push(line);
        for (const wake of this.waiting) wake();
      });
    }
    child.once('exit', () => {
      for (const wake of this.waiting) wake();
    });
  }

  /** Starts one and waits until it polls. */
  static async start(
    stack: { readonly temporalAddress: string; readonly workerKubeconfig: string },
    args: readonly string[] = [],
  ): Promise<WorkerProcess> {
    const worker = new WorkerProcess(
      startSlipway(['worker', '--kubeconfig', stack.workerKubeconfig, ...args], {
        TEMPORAL_ADDRESS: stack.temporalAddress,
        TEMPORAL_NAMESPACE: 'default',
      }),
    );
    await worker.says('worker is ready');
    return worker;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get log(): string {
    return this.lines.join('\n');
  }

  hasSaid(text: string): boolean {
    return this.lines.some((line) => line.includes(text));
  }

  /** Waits until a line of its log has that text. */
  async says(text: string, withinMs = readyWithinMs): Promise<void> {
    const untilMs = Date.now() + withinMs;
    while (!this.hasSaid(text)) {
      const leftMs = untilMs - Date.now();
      if (leftMs <= 0 || this.child.exitCode !== null || this.child.signalCode !== null) {
        throw new Error(`the worker never said "${text}":\n${this.log}`);
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, leftMs);
        const waiting = this.waiting;
        function done(): void {
          clearTimeout(timer);
          waiting.delete(done);
          resolve();
        }
        waiting.add(done);
      });
    }
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode;
    const exited = once(this.child, 'exit');
    this.child.kill(signal);
    const [code] = (await exited) as [number | null];
    return code;
  }
}
