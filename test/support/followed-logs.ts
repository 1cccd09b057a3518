import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { startSlipway } from './slipway-command.js';
import { waitFor } from './wait-for.js';

/** `slipway logs -f` while it runs, and what it has printed so far. */
export class FollowedLogs {
  stdout = '';
  stderr = '';
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown[]>;

  constructor(words: readonly string[], env: NodeJS.ProcessEnv) {
    this.child = startSlipway(['logs', ...words, '-f'], env);
    this.exited = once(this.child, 'close');
    this.child.stdout?.on('data', (text: Buffer) => (this.stdout += text.toString()));
    this.child.stderr?.on('data', (text: Buffer) => (this.stderr += text.toString()));
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Waits until it has printed that. */
  async says(text: string): Promise<void> {
    await waitFor(`logs -f prints ${text}`, () =>
      this.stdout.includes(text) || this.stderr.includes(text) ? true : undefined,
    );
  }

  /** Its exit code, once it has ended by itself. */
  async code(): Promise<number | null> {
    const [code] = (await this.exited) as [number | null];
    return code;
  }

  async interrupt(): Promise<number | null> {
    this.child.kill('SIGINT');
    return this.code();
  }
}
