import type { LocalStack } from './local-stack.js';
import type { WorkerProcess } from './worker-process.js';

interface SharedStack {
  readonly stack: LocalStack;
  readonly worker: WorkerProcess;
}

/** Set-up and tear-down are two modules of one process; each loads this file anew. */
const holder = globalThis as { slipwaySharedStack?: SharedStack };

export function setSharedStack(shared: SharedStack): void {
  holder.slipwaySharedStack = shared;
}

export async function stopSharedStack(): Promise<void> {
  const shared = holder.slipwaySharedStack;
  delete holder.slipwaySharedStack;
  if (shared === undefined) return;
  const code = await shared.worker.end('SIGTERM');
  await shared.stack.stop();
  if (code !== 0)
    throw new Error(`the worker ended with ${code ?? 'a signal'}:\n${shared.worker.log}`);
}
