/** A broken promise between our own parts. Fails the workflow task, which retries once fixed code arrives. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

export function assert(holds: boolean, promise: string): asserts holds {
  if (!holds) throw new InvariantError(promise);
}
