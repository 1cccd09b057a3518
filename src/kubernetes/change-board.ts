/** Who wants to know of which object's changes. */
export class ChangeBoard<Key> {
  private readonly listeners = new Set<(key: Key) => void>();
  /** Of those who wait for one object, which may be thousands. */
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(private readonly format: (key: Key) => string) {}

  /** Calls back with each object that changed, itself or in what belongs to it. */
  onChange(listener: (key: Key) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Calls back when that object changes, itself or in what belongs to it. */
  onChangeOf(key: Key, listener: () => void): () => void {
    const id = this.format(key);
    const listeners = this.waiting.get(id) ?? new Set();
    this.waiting.set(id, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.waiting.get(id) === listeners) this.waiting.delete(id);
    };
  }

  announce(key: Key): void {
    for (const listener of this.listeners) listener(key);
    for (const listener of this.waiting.get(this.format(key)) ?? []) listener();
  }

  /** Those who wait are to look again: there will be nothing more to wait for. */
  wakeAll(): void {
    for (const listeners of this.waiting.values()) for (const wake of listeners) wake();
  }
}
