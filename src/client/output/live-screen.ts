import { paintLine, span, textWidth, type Line } from './line.js';

/** What a live screen needs of a terminal; `process.stdout` is one. */
export interface Terminal {
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  write(text: string): unknown;
}

const hideCursor = '\u001b[?25l';
const showCursor = '\u001b[?25h';
const clearRestOfLine = '\u001b[K';
const clearBelow = '\u001b[J';

/**
 * Lines that are drawn over themselves, at the bottom of what the terminal shows. Each is cut to one
 * row and only what fits is drawn, so the cursor always finds back to the first one.
 */
export class LiveScreen {
  /** Widths of the lines that are on the screen now. */
  private drawn: readonly number[] = [];
  private cursorIsHidden = false;

  constructor(
    private readonly terminal: Terminal,
    private readonly colour: boolean,
  ) {}

  draw(lines: readonly Line[]): void {
    const columns = Math.max(1, (this.terminal.columns ?? 80) - 1);
    const fitting = fitRows(lines, Math.max(1, (this.terminal.rows ?? 24) - 1));
    const painted = fitting.map((line) => paintLine(line, { colour: this.colour, columns }));
    const body = painted.map((line) => `${line}${clearRestOfLine}\n`).join('');
    this.terminal.write(
      `${this.cursorIsHidden ? '' : hideCursor}${this.backToTop()}${body}${clearBelow}`,
    );
    this.cursorIsHidden = true;
    this.drawn = fitting.map((line) => Math.min(columns, lineWidth(line)));
  }

  /** Leaves lines above the live ones for good; the next draw goes below them. */
  print(lines: readonly string[]): void {
    this.terminal.write(
      `${this.backToTop()}${clearBelow}${lines.map((line) => `${line}\n`).join('')}`,
    );
    this.drawn = [];
  }

  /** Leaves what is drawn where it is, and gives the cursor back. */
  close(): void {
    if (this.cursorIsHidden) this.terminal.write(showCursor);
    this.cursorIsHidden = false;
    this.drawn = [];
  }

  /** A terminal that became narrower has broken the old lines into more rows than were drawn. */
  private backToTop(): string {
    const columns = Math.max(1, this.terminal.columns ?? 80);
    const rows = this.drawn.reduce(
      (sum, width) => sum + Math.max(1, Math.ceil(width / columns)),
      0,
    );
    const reachable = Math.min(rows, Math.max(1, (this.terminal.rows ?? 24) - 1));
    return reachable === 0 ? '' : `\u001b[${reachable}A\r`;
  }
}

function fitRows(lines: readonly Line[], rows: number): readonly Line[] {
  if (lines.length <= rows) return lines;
  const hidden = lines.length - rows + 1;
  return [...lines.slice(0, rows - 1), [span(`… ${hidden} more lines`, 'dim')]];
}

function lineWidth(line: Line): number {
  return line.reduce((width, { text }) => width + textWidth(text), 0);
}
