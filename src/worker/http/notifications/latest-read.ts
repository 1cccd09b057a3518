/** Reads something as it is now. Those who ask while a reading is under way share the next one. */
export class LatestRead<T> {
  private current: Promise<T> | undefined;
  private next: Promise<T> | undefined;

  constructor(private readonly read: () => Promise<T>) {}

  /** Of a reading that has begun after the call. */
  get(): Promise<T> {
    if (this.current === undefined) return this.begin();
    this.next ??= this.current.catch(() => undefined).then(() => this.begin());
    return this.next;
  }

  private begin(): Promise<T> {
    this.next = undefined;
    const reading = this.read().finally(() => {
      if (this.current === reading) this.current = undefined;
    });
    this.current = reading;
    return reading;
  }
}
