interface Entry<T> {
  readonly value: Promise<T>;
  readonly untilMs: number;
}

/** Answers that hold for a moment, no more of them than a limit. Failures are forgotten at once. */
export class ExpiringCache<T> {
  private readonly entries = new Map<string, Entry<T>>();

  constructor(
    private readonly options: { readonly forMs: number; readonly limit: number },
    private readonly now: () => number = Date.now,
  ) {}

  /** Those who ask at the same time get the same answer. */
  get(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.entries.get(key);
    if (known !== undefined && known.untilMs > this.now()) return known.value;
    this.entries.delete(key);
    this.makeRoom();
    const value = make();
    const entry = { value, untilMs: this.now() + this.options.forMs };
    this.entries.set(key, entry);
    value.catch(() => {
      if (this.entries.get(key) === entry) this.entries.delete(key);
    });
    return value;
  }

  get size(): number {
    return this.entries.size;
  }

  /** All hold equally long, so that the first is the oldest. */
  private makeRoom(): void {
    for (const [key, { untilMs }] of this.entries) {
      if (untilMs > this.now() && this.entries.size < this.options.limit) break;
      this.entries.delete(key);
    }
  }
}
