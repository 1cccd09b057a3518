/** The user, or the system, asked this process to stop. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';

  constructor(readonly signalName: 'SIGINT' | 'SIGTERM') {
    super('interrupted');
  }

  /** What shells expect of a process that a signal ended. */
  get exitCode(): number {
    return this.signalName === 'SIGINT' ? 130 : 143;
  }
}

/**
 * Runs something that goes on until it is done or Ctrl-C is pressed, which aborts the signal with an
 * `Interrupted`. A second Ctrl-C ends the process at once.
 */
export async function withInterrupt<T>(action: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const handlers = (['SIGINT', 'SIGTERM'] as const).map((name) => {
    const handler = (): void => {
      controller.abort(new Interrupted(name));
    };
    process.once(name, handler);
    return { name, handler };
  });
  try {
    return await action(controller.signal);
  } finally {
    for (const { name, handler } of handlers) process.removeListener(name, handler);
  }
}
