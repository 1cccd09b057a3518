/**
 * Calls `run` soon after the first request and then at most once per interval, so that a burst of
 * changes is one call. `flush` runs what is waiting at once.
 */
export class Throttle {
  private timer: NodeJS.Timeout | undefined;
  private lastRunMs = -Infinity;

  constructor(
    private readonly intervalMs: number,
    private readonly run: () => void,
  ) {}

  request(): void {
    if (this.timer !== undefined) return;
    const waitMs = Math.max(0, this.lastRunMs + this.intervalMs - performance.now());
    this.timer = setTimeout(() => {
      this.flush();
    }, waitMs);
  }

  flush(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.lastRunMs = performance.now();
    this.run();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
