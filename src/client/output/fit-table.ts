import { cutText, textWidth } from './line.js';
import { padCells } from './table.js';

const gap = '   ';
/** A column with less than this says nothing any more. */
const narrowest = 8;

/**
 * Columns side by side in at most so many characters: while they are too many, the widest of those that
 * may be cut gives way. Cells that were cut end in an ellipsis.
 */
export function fitTable(
  rows: readonly (readonly string[])[],
  columns: number,
  flexible: readonly number[],
): string[] {
  const widths = measure(rows);
  const total = (): number =>
    widths.reduce((sum, width) => sum + width, 0) + gap.length * (widths.length - 1);
  while (total() > columns) {
    const [widest = 0] = [...flexible].sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
    if ((widths[widest] ?? 0) <= narrowest) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  const cut = rows.map((row) =>
    row.map((cell, column) => cutText(cell, widths[column] ?? textWidth(cell))),
  );
  return padCells(cut).map((cells) => cells.join(gap).trimEnd());
}

function measure(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, textWidth(cell));
    });
  }
  return widths;
}
