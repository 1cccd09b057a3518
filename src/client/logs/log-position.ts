/** A line of a log; one that was kept apart from it has lost its time. */
export interface LogLine {
  readonly timestamp?: string;
  readonly text: string;
}

const stamped = /^(\d{4}-\d\d-\d\dT[\d:]+(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) (.*)$/s;

/**
 * How far a log was read, so that a broken stream goes on where it broke. The server takes whole seconds, so
 * all lines of the last second come again, of which as many are skipped as were there before.
 */
export class LogPosition {
  private second: number | undefined;
  /** Lines of that second that were taken. */
  private taken = 0;
  /** Those that come again, and are still to be left out. */
  private known: { readonly second: number; left: number } | undefined;
  /** The time of the first line, where only the last ones are wanted. */
  private first: string | undefined;
  private said: string | undefined;

  /** With `isTail`, what was written before the first line that is sent is not wanted. */
  constructor(private readonly isTail = false) {}

  /** From when to ask, in the form that the server takes; undefined at the beginning. */
  resume(): string | undefined {
    const { second, taken } = this;
    this.said = undefined;
    if (second === undefined) return undefined;
    this.known = { second, left: taken };
    return new Date(second * 1_000).toISOString().replace('.000Z', 'Z');
  }

  /** Whether any line was taken. */
  get hasBegun(): boolean {
    return this.second !== undefined;
  }

  /** What the server itself said last since it was asked, which is no line of the log. */
  get remark(): string | undefined {
    return this.said;
  }

  /** The line, unless it was taken before or is the server's own word: those have no time. */
  take(sent: string): LogLine | undefined {
    const [, timestamp, text = ''] = stamped.exec(sent) ?? [];
    if (timestamp === undefined) {
      if (sent.trim() !== '') this.said = sent;
      return undefined;
    }
    if (this.isTail) this.first ??= timestamp;
    // A node writes its times in one form, so that they can be compared as they are.
    if (this.first !== undefined && timestamp < this.first) return undefined;
    const second = Math.floor(Date.parse(timestamp) / 1_000);
    const { known } = this;
    if (known?.second === second && known.left > 0) {
      known.left -= 1;
      return undefined;
    }
    if (this.second === undefined || second > this.second) {
      this.second = second;
      this.taken = 0;
    }
    if (second === this.second) this.taken += 1;
    return { timestamp, text };
  }
}
