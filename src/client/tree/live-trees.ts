import { span, type Line } from '../output/line.js';
import { LiveScreen, type Terminal } from '../output/live-screen.js';
import { wantsColour } from '../output/terminal-abilities.js';
import { renderTrees } from './render-tree.js';
import type { Tree } from './tree.js';

/** Ages count on even when nothing changes. */
const tickMs = 1_000;

export type ResizingTerminal = Terminal &
  Pick<NodeJS.WriteStream, 'isTTY' | 'on' | 'removeListener'>;

/** Trees in a terminal, drawn anew when they change, when the window does, and once a second. */
export class LiveTrees {
  private readonly screen: LiveScreen;
  private readonly timer: NodeJS.Timeout;
  private trees: readonly Tree[] | undefined;
  private note: string | undefined;

  constructor(
    private readonly terminal: ResizingTerminal,
    private readonly options: {
      readonly withNamespace?: boolean;
      readonly whenEmpty?: string;
    } = {},
  ) {
    this.screen = new LiveScreen(terminal, wantsColour(terminal));
    this.timer = setInterval(this.draw, tickMs).unref();
    terminal.on('resize', this.draw);
  }

  show(trees: readonly Tree[]): void {
    this.trees = trees;
    this.draw();
  }

  /** A sentence below the trees, until it is taken back by leaving it out. */
  setNote(note?: string): void {
    this.note = note;
    this.draw();
  }

  /** A line that stays, above the trees. */
  print(line: string): void {
    this.screen.print([line]);
    if (this.trees !== undefined && this.trees.length > 0) this.draw();
  }

  close(): void {
    clearInterval(this.timer);
    this.terminal.removeListener('resize', this.draw);
    this.screen.close();
  }

  private readonly draw = (): void => {
    if (this.trees === undefined) return;
    const lines: Line[] = renderTrees(this.trees, { ...this.options, nowMs: Date.now() });
    if (lines.length === 0 && this.options.whenEmpty !== undefined) {
      lines.push([span(this.options.whenEmpty, 'dim')]);
    }
    if (this.note !== undefined) lines.push([], [span(this.note, 'warn')]);
    this.screen.draw(lines);
  };
}
