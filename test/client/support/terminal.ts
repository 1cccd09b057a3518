import type { Terminal } from '../../../src/client/output/live-screen.js';

const escape = '\u001b';
const code = `${escape}\\[([?\\d;]*)([A-Za-z])`;
const parts = new RegExp(`${code}|[^${escape}]`, 'gu');
const wholeCode = new RegExp(`^${code}$`);

/** A terminal as small as a test needs: it obeys the codes that a live screen sends, and no others. */
export class FakeTerminal implements Terminal {
  lines: string[] = [''];
  cursorIsHidden = false;
  private row = 0;
  private column = 0;

  constructor(
    public columns: number,
    public rows: number,
  ) {}

  write(text: string): void {
    for (const [part] of text.matchAll(parts)) this.obey(part);
  }

  /** What a reader sees, without the free lines below. */
  get screen(): string {
    return this.lines
      .map((line) => line.trimEnd())
      .join('\n')
      .trimEnd();
  }

  private obey(part: string): void {
    const order = wholeCode.exec(part);
    if (part === '\n') this.moveTo(this.row + 1);
    else if (part === '\r') this.column = 0;
    else if (order === null) this.put(part);
    else this.obeyCode(order[1] ?? '', order[2] ?? '');
  }

  private obeyCode(argument: string, letter: string): void {
    const line = this.lines[this.row] ?? '';
    switch (letter) {
      case 'A':
        this.row = Math.max(0, this.row - Number(argument));
        break;
      case 'K':
        this.lines[this.row] = line.slice(0, this.column);
        break;
      case 'J':
        this.lines = [...this.lines.slice(0, this.row), line.slice(0, this.column)];
        break;
      case 'l':
      case 'h':
        this.cursorIsHidden = letter === 'l';
        break;
      case 'm':
        break;
      default:
        throw new Error(`unknown code ${letter}`);
    }
  }

  private put(character: string): void {
    if (this.column >= this.columns) this.moveTo(this.row + 1);
    const line = (this.lines[this.row] ?? '').padEnd(this.column);
    this.lines[this.row] = line.slice(0, this.column) + character + line.slice(this.column + 1);
    this.column += 1;
  }

  private moveTo(row: number): void {
    this.row = row;
    this.column = 0;
    while (this.lines.length <= row) this.lines.push('');
  }
}
