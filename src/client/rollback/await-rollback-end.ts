import type { RollbackEnd } from './read-rollback-end.js';
import type { RollbackRun } from './start-rollback.js';

/** A worker takes a run up within milliseconds, so something is amiss by then. */
const untakenAfterMs = 10_000;

/** Waits for the end of a run, and says so when no worker seems to care for it. */
export async function awaitRollbackEnd(
  run: RollbackRun,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<RollbackEnd> {
  const remind = async (): Promise<void> => {
    if (await run.isTaken()) return;
    say(`no worker has taken ${run.workflowId} yet; is one running? "slipway worker" starts one`);
  };
  // Whether it can be asked that is of no account: its end is waited for anyway.
  const timer = setTimeout(() => void remind().catch(() => undefined), untakenAfterMs);
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([run.end(), stopped]);
  } finally {
    clearTimeout(timer);
  }
}
