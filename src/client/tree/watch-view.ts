import { formatStreamed, type OutputFormat } from '../output/structured.js';
import { canRedraw } from '../output/terminal-abilities.js';
import { listChanges, type PrintedLines } from './change-lines.js';
import { listChangedTrees } from './changed-trees.js';
import { LiveTrees } from './live-trees.js';
import type { Tree } from './tree.js';

/** Where `get -w` shows what it sees. */
export interface WatchView {
  show(trees: readonly Tree[]): void;
  /** Trouble that may pass, and its end when left out. */
  setNote(note?: string): void;
  close(): void;
}

export interface WatchViewOptions {
  readonly output: OutputFormat | undefined;
  readonly withNamespace: boolean;
  readonly whenEmpty: string;
}

/** Data when asked for, a live tree in a terminal, else plain lines without any cursor codes. */
export function createWatchView({ output, withNamespace, whenEmpty }: WatchViewOptions): WatchView {
  if (output !== undefined) return new DataView(output);
  return canRedraw(process.stdout)
    ? new LiveTrees(process.stdout, { withNamespace, whenEmpty })
    : new LinesView(withNamespace);
}

class LinesView implements WatchView {
  private printed: PrintedLines = new Map();

  constructor(private readonly withNamespace: boolean) {}

  show(trees: readonly Tree[]): void {
    const { lines, printed } = listChanges(this.printed, trees, this.withNamespace);
    this.printed = printed;
    for (const line of lines) process.stdout.write(`${line}\n`);
  }

  setNote(note?: string): void {
    writeNote(note);
  }

  close(): void {
    this.printed = new Map();
  }
}

class DataView implements WatchView {
  private trees: readonly Tree[] = [];

  constructor(private readonly output: OutputFormat) {}

  show(trees: readonly Tree[]): void {
    for (const tree of listChangedTrees(this.trees, trees)) {
      process.stdout.write(formatStreamed(tree, this.output));
    }
    this.trees = trees;
  }

  setNote(note?: string): void {
    writeNote(note);
  }

  close(): void {
    this.trees = [];
  }
}

function writeNote(note?: string): void {
  process.stderr.write(`slipway: ${note ?? 'the cluster answers again'}\n`);
}
