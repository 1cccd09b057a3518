import { expect, test } from '@jest/globals';

import { renderRuns } from '../../../src/client/commands/history.js';
import { renderRevisions } from '../../../src/client/deployments/deployment-history.js';

const nowMs = Date.parse('2026-01-01T01:00:00Z');

test('revisions, newest first, with the current one marked', () => {
  const entry = {
    revision: 2,
    current: true,
    replicaSet: 'web-2',
    created: '2026-01-01T00:59:30Z',
    earlier: [] as string[],
    images: ['nginx:2', 'sidecar:1'],
    changeCause: 'new\nimage',
    triggers: ['NewImage', 'ConfigChange'],
    failure: null,
    replicas: { desired: 4, ready: 3 },
  };
  const older = {
    ...entry,
    revision: 1,
    current: false,
    replicaSet: 'web-1',
    changeCause: null,
    triggers: [],
  };
  const failed = {
    ...older,
    revision: 0,
    earlier: ['3', '5'],
    replicaSet: 'web-0',
    failure: 'Revision 1 failed',
  };
  expect(renderRevisions([entry, older, failed], nowMs)).toEqual([
    'REVISION   AGE         READY   IMAGES               REPLICASET   TRIGGER                  CHANGE-CAUSE',
    '2 *        30s         3/4     nginx:2, sidecar:1   web-2        NewImage, ConfigChange   new image',
    '1          30s         3/4     nginx:2, sidecar:1   web-1        -                        -',
    '0          30s, as 3   3/4     nginx:2, sidecar:1   web-0        -                        Revision 1 failed',
  ]);
  expect(renderRevisions([], nowMs)).toEqual(['There are no revisions yet.']);
});

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
