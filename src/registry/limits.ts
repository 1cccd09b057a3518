export interface RegistryLimits {
  readonly connectMs: number;
  /** How long a server may be silent. */
  readonly silentMs: number;
  /** For one answer, with all that it takes. */
  readonly wholeMs: number;
  readonly manifestBytes: number;
  readonly tries: number;
  readonly firstPauseMs: number;
}

export const defaultLimits: RegistryLimits = {
  connectMs: 5_000,
  silentMs: 10_000,
  wholeMs: 30_000,
  // What registries have to take, and more than any of them has.
  manifestBytes: 4 * 1024 * 1024,
  tries: 3,
  firstPauseMs: 200,
};
