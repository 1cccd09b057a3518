import { expect, test } from '@jest/globals';

import { renderRuns } from '../../../src/client/commands/history.js';

const nowMs = Date.parse('2026-01-01T01:00:00Z');

test('runs, with how long they took and how they ended', () => {
  const run = {
    runId: 'abc',
    started: '2026-01-01T00:50:00.000Z',
    ended: '2026-01-01T00:51:15.000Z',
    status: 'completed',
    phase: 'Complete',
    revision: 2,
  };
  const running = { ...run, ended: null, status: 'running', phase: null, revision: null };
  expect(renderRuns([running, run], nowMs)).toEqual([
    'STARTED   TOOK    REVISION   STATUS                RUN',
    '10m ago   10m     -          running               abc',
    '10m ago   1m15s   2          completed: Complete   abc',
  ]);
});
