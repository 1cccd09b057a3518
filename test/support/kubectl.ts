import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createProgress } from '../../src/client/terminal/progress.js';
import { ensureToolchain } from '../../src/dev/toolchain/ensure-toolchain.js';

/** The real kubectl, on one cluster. */
export class Kubectl {
  private constructor(
    private readonly program: string,
    private readonly kubeconfig: string,
    /** Where it keeps what it has learned about the server. */
    private readonly home: string,
  ) {}

  static async open(kubeconfig: string): Promise<Kubectl> {
    const progress = createProgress(process.stderr);
    const { kubectl } = await ensureToolchain({ tools: ['kubectl'], progress });
    return new Kubectl(kubectl, kubeconfig, mkdtempSync(join(tmpdir(), 'slipway-kubectl-')));
  }

  close(): void {
    rmSync(this.home, { recursive: true });
  }

  /** What it printed; anything but success is an error. */
  run(args: readonly string[], input = ''): Promise<string> {
    const env = { HOME: this.home, PATH: process.env['PATH'] };
    return new Promise((resolve, reject) => {
      const child = execFile(
        this.program,
        [`--kubeconfig=${this.kubeconfig}`, ...args],
        { env },
        (error, stdout, stderr) => {
          if (error === null) resolve(stdout);
          else reject(new Error(`kubectl ${args.join(' ')}: ${stderr}`, { cause: error }));
        },
      );
      child.stdin?.end(input);
    });
  }
}
