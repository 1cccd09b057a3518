import { expect, test } from '@jest/globals';

import { attachRuns } from '../../../src/client/history/attach-runs.js';
import { toEntry } from '../../../src/client/history/history-entry.js';
import type { Run } from '../../../src/client/list-runs.js';

const entry = (revision: number, attempt = 1) =>
  toEntry({ holder: 'x', images: [], current: false, revision, attempt });
const run = (runId: string, revision: number | null): Run => ({
  runId,
  revision,
  started: '2026-01-01T00:00:00.000Z',
  ended: null,
  status: 'running',
  phase: null,
});

test('each run stands with its revision, and with the latest of several tries', () => {
  const entries = attachRuns(
    [entry(3), entry(2, 2), entry(2, 1)],
    [run('c', 3), run('b', 2), run('a', 2), run('x', null), run('y', 1)],
  );
  expect(entries.map(({ runs }) => runs?.map(({ runId }) => runId))).toEqual([
    ['c'],
    ['b', 'a'],
    [],
  ]);
});

test('where Temporal did not answer nobody knows of runs', () => {
  expect(attachRuns([entry(1)], undefined)[0]?.runs).toBeNull();
});
