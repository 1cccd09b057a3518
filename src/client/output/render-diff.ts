import { diffLines, type DiffLine } from './line-diff.js';
import { span, type Line } from './line.js';
import { formatYaml } from './structured.js';

const contextLines = 3;

export interface DiffSide {
  /** What this side is called in the heading. */
  readonly title: string;
  readonly value: unknown;
}

/** Both values as YAML, with the lines that differ and a few around them; nothing when they are equal. */
export function renderDiff(before: DiffSide, after: DiffSide): Line[] {
  const lines = diffLines(yamlLines(before.value), yamlLines(after.value));
  if (lines.every(({ kind }) => kind === 'same')) return [];
  return [
    [span(`--- ${before.title}`, 'strong')],
    [span(`+++ ${after.title}`, 'strong')],
    ...renderHunks(lines),
  ];
}

const yamlLines = (value: unknown): string[] => formatYaml(value).trimEnd().split('\n');

function renderHunks(lines: readonly DiffLine[]): Line[] {
  const shown = lines.map((_, index) =>
    lines
      .slice(Math.max(0, index - contextLines), index + contextLines + 1)
      .some(({ kind }) => kind !== 'same'),
  );
  const rendered: Line[] = [];
  lines.forEach((line, index) => {
    if (shown[index] !== true) {
      // One mark stands for a whole stretch of equal lines.
      if (index === 0 || shown[index - 1] === true) rendered.push([span('  …', 'dim')]);
      return;
    }
    rendered.push([renderDiffLine(line)]);
  });
  return rendered;
}

function renderDiffLine({ kind, text }: DiffLine) {
  switch (kind) {
    case 'same':
      return span(`  ${text}`);
    case 'removed':
      return span(`- ${text}`, 'bad');
    case 'added':
      return span(`+ ${text}`, 'good');
  }
}
