import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { diffLines } from '../../../src/client/output/line-diff.js';
import { paintLine } from '../../../src/client/output/line.js';
import { renderDiff } from '../../../src/client/output/render-diff.js';

const marks = { same: ' ', removed: '-', added: '+' } as const;
const show = (before: string, after: string): string =>
  diffLines(before.split(''), after.split(''))
    .map(({ kind, text }) => `${marks[kind]}${text}`)
    .join('')
    .trimEnd();

describe('diffLines', () => {
  test.each([
    ['abc', 'abc', ' a b c'],
    ['abc', 'abd', ' a b-c+d'],
    ['abc', 'ac', ' a-b c'],
    ['ac', 'abc', ' a+b c'],
    ['abcd', 'bcde', '-a b c d+e'],
    ['aXbYc', 'aZbYc', ' a-X+Z b Y c'],
  ])('%s -> %s', (before, after, expected) => {
    expect(show(before, after)).toBe(expected);
  });

  const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 9 });

  test('gives both sides back, and keeps as much as can be kept', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = diffLines(before, after);
        const side = (other: string): string[] =>
          diff.filter(({ kind }) => kind !== other).map(({ text }) => text);
        expect(side('added')).toEqual(before);
        expect(side('removed')).toEqual(after);
        const kept = diff.filter(({ kind }) => kind === 'same').length;
        expect(kept).toBe(longestCommon(before, after));
      }),
    );
  });
});

/** By its definition: the longest selection of one that can be read in the other, in order. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let best = 0;
  for (let chosen = 0; chosen < 2 ** a.length; chosen += 1) {
    const part = a.filter((_, index) => (chosen & (1 << index)) !== 0);
    if (part.length > best && isInOrder(part, b)) best = part.length;
  }
  return best;
}

function isInOrder(part: readonly string[], whole: readonly string[]): boolean {
  let found = 0;
  for (const item of whole) if (item === part[found]) found += 1;
  return found === part.length;
}

describe('renderDiff', () => {
  const value = (image: string) => ({
    labels: { a: '1', b: '2', c: '3', d: '4', e: '5' },
    image,
    policy: 'Always',
  });
  const render = (before: unknown, after: unknown): string =>
    renderDiff({ title: 'old', value: before }, { title: 'new', value: after })
      .map((line) => paintLine(line, { colour: false }))
      .join('\n');

  test('shows what differs, a few lines around it, and where lines are left out', () => {
    expect(render(value('nginx:1'), value('nginx:2'))).toBe(
      [
        '--- old',
        '+++ new',
        '  …',
        '    c: "3"',
        '    d: "4"',
        '    e: "5"',
        '- image: nginx:1',
        '+ image: nginx:2',
        '  policy: Always',
      ].join('\n'),
    );
  });

  test('says nothing about equal values', () => {
    expect(render(value('nginx:1'), value('nginx:1'))).toBe('');
  });
});
