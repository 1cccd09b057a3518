export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/**
 * The fewest lines to take away and add that turn one text into the other, found by the longest
 * common subsequence. Pod templates have hundreds of lines at most, so the square table is small.
 */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const start = commonStart(before, after);
  const end = commonEnd(before.slice(start), after.slice(start));
  const middle = diffMiddle(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  );
  const same = (lines: readonly string[]): DiffLine[] =>
    lines.map((text) => ({ kind: 'same', text }));
  return [...same(before.slice(0, start)), ...middle, ...same(end === 0 ? [] : before.slice(-end))];
}

function commonStart(before: readonly string[], after: readonly string[]): number {
  let count = 0;
  while (count < Math.min(before.length, after.length) && before[count] === after[count]) {
    count += 1;
  }
  return count;
}

function commonEnd(before: readonly string[], after: readonly string[]): number {
  return commonStart(before.toReversed(), after.toReversed());
}

function diffMiddle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const lengths = commonLengths(before, after);
  const lines: DiffLine[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length || column < after.length) {
    const old = before[row];
    const fresh = after[column];
    if (old !== undefined && old === fresh) {
      lines.push({ kind: 'same', text: old });
      row += 1;
      column += 1;
    } else if (
      old !== undefined &&
      lengthAt(lengths, row + 1, column) >= lengthAt(lengths, row, column + 1)
    ) {
      lines.push({ kind: 'removed', text: old });
      row += 1;
    } else {
      lines.push({ kind: 'added', text: fresh ?? '' });
      column += 1;
    }
  }
  return lines;
}

/** Cell [row][column] is the length of the longest subsequence common to both rests from there on. */
function commonLengths(before: readonly string[], after: readonly string[]): number[][] {
  const table = Array.from({ length: before.length + 1 }, () =>
    new Array<number>(after.length + 1).fill(0),
  );
  for (let row = before.length - 1; row >= 0; row -= 1) {
    const cells = table[row] ?? [];
    for (let column = after.length - 1; column >= 0; column -= 1) {
      cells[column] =
        before[row] === after[column]
          ? lengthAt(table, row + 1, column + 1) + 1
          : Math.max(lengthAt(table, row + 1, column), lengthAt(table, row, column + 1));
    }
  }
  return table;
}

function lengthAt(table: readonly (readonly number[])[], row: number, column: number): number {
  return table[row]?.[column] ?? 0;
}
