import { textWidth } from './line.js';

/** Columns side by side, each as wide as its widest cell; the last is not padded. */
export function renderTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  return padCells([header, ...rows]).map((cells) => cells.join('   ').trimEnd());
}

/** Pads each cell to its column's width, so that lines that hold them stand in columns. */
export function padCells(rows: readonly (readonly string[])[]): string[][] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, textWidth(cell));
    });
  }
  return rows.map((row) =>
    row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - textWidth(cell))),
  );
}
