import { readFileSync } from 'node:fs';

import { describe, expect, test } from '@jest/globals';

import { toEntry, type HistoryEntry } from '../../../src/client/history/history-entry.js';
import { renderHistory } from '../../../src/client/history/render-history.js';
import { textWidth } from '../../../src/client/output/line.js';

const nowMs = Date.parse('2026-01-01T01:00:00Z');
const page = { nowMs, columns: 120 };

const entry = (over: Partial<HistoryEntry> = {}): HistoryEntry =>
  toEntry({
    holder: 'ReplicaSet/web-2',
    current: false,
    revision: 2,
    images: ['example.com/web:2'],
    startedAt: '2026-01-01T00:50:00Z',
    endedAt: '2026-01-01T00:50:12.400Z',
    outcome: 'Complete',
    ...over,
  });

test('who, when, why, from what to what, how long and how it ended, newest first', () => {
  const entries = [
    entry({
      revision: 3,
      current: true,
      startedAt: '2026-01-01T00:59:30Z',
      endedAt: null,
      who: 'ann',
      manager: 'slipway',
      why: 'back to revision 1: too\nslow',
      from: { revision: 2, images: ['example.com/web:2'] },
      images: ['example.com/web:1'],
      outcome: 'Progressing',
    }),
    entry({
      manager: 'kubectl-set',
      why: 'new image',
      from: { revision: 1, images: ['example.com/web:1'] },
      outcome: 'RolledBack',
      reason: 'revision 3 went back to revision 1',
      endedBy: 'ann',
    }),
    entry({ revision: 1, startedAt: null, endedAt: null, outcome: null, images: ['web:1'] }),
  ];
  expect(renderHistory(entries, page)).toEqual([
    'REVISION   WHEN      WHO           WHY                            WHAT         TOOK   ENDED',
    '3 *        30s ago   ann           back to revision 1: too slow   web:2 → :1   30s    Progressing',
    '2          10m ago   kubectl-set   new image                      web:1 → :2   12s    RolledBack',
    '    by ann: revision 3 went back to revision 1',
    '1          -         -             -                              web:1        -      -',
  ]);
});

test('tries of one version', () => {
  const lines = renderHistory([entry({ attempt: 2, outcome: 'Paused', endedAt: null })], page);
  expect(lines[1]).toMatch(/^2 \(try 2\) {3}10m ago {3}- .* 10m {4}Paused$/);
});

test('of somebody who ended it without a word', () => {
  expect(renderHistory([entry({ endedBy: 'ann' })], page)[2]).toBe('    by ann');
});

describe.each([80, 100, 120])('in %i columns', (columns) => {
  test('the table fits, whatever people write', () => {
    const long = entry({
      who: 'system:serviceaccount:continuous-integration:the-deployer-of-shop',
      why: 'because '.repeat(40),
      images: [`registry.example.com/shop/a-rather-long-name-for-an-image:2026-01-01-0123456789ab`],
      from: { revision: 1, images: ['registry.example.com/shop/another-long-name:2025-12-31'] },
      reason: 'x'.repeat(300),
    });
    const [header = '', line = '', reason = ''] = renderHistory([long], { nowMs, columns });
    expect(textWidth(header)).toBeLessThanOrEqual(columns);
    expect(textWidth(line)).toBeLessThanOrEqual(columns);
    expect(line).toMatch(/…/);
    expect(line).toMatch(/ 12s {4}Complete$/);
    // What is not in a column is told in full.
    expect(reason).toBe(`    ${'x'.repeat(300)}`);
  });
});

test('tags of a repository', () => {
  const tag = toEntry({
    holder: 'ImageRepository/web',
    current: true,
    tag: 'latest',
    startedAt: '2026-01-01T00:30:00Z',
    images: [`r/web@sha256:${'b'.repeat(64)}`],
    from: { revision: null, images: [`r/web@sha256:${'a'.repeat(64)}`] },
  });
  expect(renderHistory([tag], page)).toEqual([
    'TAG        SINCE     WHAT',
    'latest *   30m ago   web@aaaaaaaaaaaa → @bbbbbbbbbbbb',
  ]);
});

test('nothing has happened yet', () => {
  expect(renderHistory([], page)).toEqual(['There is no history yet.']);
});

describe('an entry', () => {
  const times = (startedAt: string | null, endedAt: string | null) =>
    toEntry({ holder: 'x', images: [], current: false, startedAt, endedAt }).seconds;

  test.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T00:01:30.500Z', 90.5],
    ['2026-01-01T00:00:00Z', null, null],
    [null, '2026-01-01T00:00:00Z', null],
    ['2026-01-01T00:00:05Z', '2026-01-01T00:00:00Z', 0],
    ['spoilt', '2026-01-01T00:00:00Z', null],
  ])('from %p to %p takes %p s', (startedAt, endedAt, seconds) => {
    expect(times(startedAt, endedAt)).toBe(seconds);
  });

  const fields = [
    'revision',
    'attempt',
    'tag',
    'current',
    'holder',
    'startedAt',
    'endedAt',
    'seconds',
    'who',
    'manager',
    'triggers',
    'why',
    'changeCause',
    'backTo',
    'from',
    'images',
    'outcome',
    'reason',
    'endedBy',
    'replicas',
    'runs',
  ];

  test('has every field, known or not', () => {
    expect(Object.keys(toEntry({ holder: 'x', images: [], current: false }))).toEqual(fields);
  });

  test('has the fields that the document lists', () => {
    const path = new URL('../../../docs/history.md', import.meta.url);
    const [, text = ''] = readFileSync(path, 'utf8').split('## For scripts');
    const [table = ''] = text.split('| `outcome`    |');
    const listed = table
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)])
      .map(([, name]) => name);
    expect(listed).toEqual(fields);
  });
});
