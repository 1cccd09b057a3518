/** What a piece of text means; how that looks is the painter's business. */
export type Tone = 'plain' | 'good' | 'busy' | 'warn' | 'bad' | 'dim' | 'strong';

export interface Span {
  readonly text: string;
  readonly tone: Tone;
}

/** One line for a terminal, before colours and before it is cut to the terminal's width. */
export type Line = readonly Span[];

export const span = (text: string, tone: Tone = 'plain'): Span => ({ text, tone });

const codes: Record<Tone, string> = {
  plain: '',
  good: '32',
  busy: '36',
  warn: '33',
  bad: '31',
  dim: '2',
  strong: '1',
};

export interface Paint {
  readonly colour: boolean;
  /** Longer lines are cut, so that one line is one row of the screen. */
  readonly columns?: number;
}

/** The text to print. What came from the cluster can't move the cursor: control characters go. */
export function paintLine(line: Line, { colour, columns }: Paint): string {
  const spans = columns === undefined ? line.map(cleanSpan) : cutLine(line.map(cleanSpan), columns);
  return spans
    .map(({ text, tone }) =>
      colour && tone !== 'plain' && text !== '' ? `\u001b[${codes[tone]}m${text}\u001b[0m` : text,
    )
    .join('')
    .trimEnd();
}

const cleanSpan = ({ text, tone }: Span): Span => ({ text: cleanText(text), tone });

/** Line breaks and control characters become spaces. */
export function cleanText(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}

function cutLine(line: Line, columns: number): Line {
  const total = line.reduce((width, { text }) => width + textWidth(text), 0);
  if (total <= columns) return line;
  const kept: Span[] = [];
  let room = Math.max(0, columns - 1);
  for (const { text, tone } of line) {
    const part = takeWidth(text, room);
    kept.push({ text: part, tone });
    room -= textWidth(part);
    if (part !== text) break;
  }
  return [...kept, span(columns > 0 ? '…' : '', 'dim')];
}

/** A text in at most so many columns; one that was cut ends in an ellipsis. */
export function cutText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  return columns < 1 ? '' : `${takeWidth(text, columns - 1)}…`;
}

function takeWidth(text: string, columns: number): string {
  let taken = '';
  let width = 0;
  for (const character of text) {
    width += textWidth(character);
    if (width > columns) break;
    taken += character;
  }
  return taken;
}

/** Columns a text takes: East Asian wide characters and emoji take two, combining marks none. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{Mn}|\u200d|\ufe0f/u.test(character)) continue;
    const wide =
      /\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Emoji_Presentation}|[\uff01-\uff60]/u;
    width += wide.test(character) ? 2 : 1;
  }
  return width;
}
