import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CommandFailure } from '../src/client/failure.js';
import { packageRoot } from '../src/dev/package-root.js';
import { layoutOf } from '../src/dev/stack/layout.js';

const program = join(packageRoot, 'dist', 'client', 'main.js');

export type Controller = 'slipway' | 'built-in';

const words: Record<Controller, readonly string[]> = {
  slipway: ['--drop-in'],
  'built-in': ['--no-drop-in', '--no-worker'],
};

export interface OwnStackOptions {
  readonly controller: Controller;
  /** The logs of the stack's parts are kept here. */
  readonly logs: string;
  readonly signal: AbortSignal;
}

/** Does something on a stack that is started for it, as users start theirs, and taken down after it. */
export async function withOwnStack<T>(
  { controller, logs, signal }: OwnStackOptions,
  action: (stack: { readonly kubeconfig: string }) => Promise<T>,
): Promise<T> {
  const stateFolder = mkdtempSync(join(tmpdir(), 'slipway-conformance-'));
  const layout = layoutOf(stateFolder);
  const place = ['--state-dir', stateFolder];
  try {
    const code = await runDev(['up', ...place, ...words[controller], '--fast-etcd'], signal);
    signal.throwIfAborted();
    if (code !== 0) throw new CommandFailure('the stack did not come up');
    return await action(layout);
  } finally {
    if (existsSync(layout.logs)) cpSync(layout.logs, logs, { recursive: true });
    const code = await runDev(['down', ...place, '--delete-data']);
    if (code === 0) rmSync(stateFolder, { recursive: true, force: true });
    else process.stderr.write(`conformance: the stack in ${stateFolder} did not go down\n`);
  }
}

/** Runs `slipway dev` with its progress on the screen; called off, it cleans up itself. */
async function runDev(args: readonly string[], signal?: AbortSignal): Promise<number | null> {
  const child = spawn(process.execPath, [program, 'dev', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = (): void => {
    child.kill('SIGTERM');
  };
  signal?.addEventListener('abort', stop);
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
