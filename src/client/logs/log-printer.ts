import type { LogSource } from './log-source.js';
import type { LogLine } from './log-position.js';

/** The part of a stream that a printer needs. */
export interface Sink {
  write(text: string): boolean;
  once(event: 'drain', listener: () => void): unknown;
}

export interface LogPrinterOptions {
  readonly out: Sink;
  readonly timestamps: boolean;
  /** Dims what says where a line is from. */
  readonly colour: boolean;
  /** Takes a sentence about the logs, which is no part of them. */
  readonly remark: (sentence: string) => void;
}

/** Writes lines of logs, each with its pod where there may be several. */
export class LogPrinter {
  private readonly remarked = new Set<string>();

  constructor(
    private readonly options: LogPrinterOptions,
    private readonly withPrefix: boolean,
  ) {}

  async print({ pod }: LogSource, { timestamp, text }: LogLine): Promise<void> {
    const { out, timestamps } = this.options;
    const time = timestamps && timestamp !== undefined ? `${timestamp} ` : '';
    if (out.write(`${this.prefix(pod)}${time}${text}\n`)) return;
    // Whoever reads slowly is waited for: a log may be larger than our memory.
    await new Promise<void>((resolve) => {
      out.once('drain', resolve);
    });
  }

  /** What was kept of a log that can't be read any more, and why it is no more than that. */
  async printTail(source: LogSource, why: string): Promise<void> {
    const { tail, words } = source;
    const isKept = tail !== undefined && tail.trim() !== '';
    this.remark(`${why}; it ${words}${isKept ? ', and this is the end of its log:' : ''}`);
    if (!isKept) return;
    for (const text of tail.trimEnd().split('\n')) await this.print(source, { text });
  }

  /** Says something once. */
  remark(sentence: string): void {
    if (this.remarked.has(sentence)) return;
    this.remarked.add(sentence);
    this.options.remark(sentence);
  }

  private prefix(pod: string): string {
    if (!this.withPrefix) return '';
    return this.options.colour ? `\u001b[2m[${pod}]\u001b[0m ` : `[${pod}] `;
  }
}
