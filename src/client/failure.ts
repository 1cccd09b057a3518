/** What scripts can tell apart. */
export const exitCodes = { complete: 0, failed: 1, badInput: 2, cancelled: 3 } as const;

/** An expected end of a command: one sentence for the user and an exit code for scripts. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';

  constructor(
    message: string,
    readonly exitCode: number = exitCodes.failed,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export const badInput = (message: string, cause?: unknown): CommandFailure =>
  new CommandFailure(message, exitCodes.badInput, { cause });
