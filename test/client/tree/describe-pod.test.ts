import { expect, test } from '@jest/globals';

import { describePod } from '../../../src/client/tree/describe-pod.js';
import { pod } from '../support/objects.js';

const container = (state: object, ready = false, restartCount = 0) => ({
  name: 'main',
  ready,
  restartCount,
  image: '',
  imageID: '',
  state,
});

test.each([
  ['Pending', { phase: 'Pending' }],
  ['Unknown', {}],
  ['Evicted', { phase: 'Failed', reason: 'Evicted' }],
  [
    'CrashLoopBackOff',
    {
      phase: 'Running',
      containerStatuses: [container({ waiting: { reason: 'CrashLoopBackOff' } })],
    },
  ],
  [
    'OOMKilled',
    {
      phase: 'Failed',
      containerStatuses: [container({ terminated: { exitCode: 137, reason: 'OOMKilled' } })],
    },
  ],
  [
    'ExitCode:3',
    { phase: 'Failed', containerStatuses: [container({ terminated: { exitCode: 3 } })] },
  ],
  [
    'Init:ImagePullBackOff',
    {
      phase: 'Pending',
      initContainerStatuses: [container({ waiting: { reason: 'ImagePullBackOff' } })],
      containerStatuses: [container({ waiting: { reason: 'PodInitializing' } })],
    },
  ],
  [
    'Running',
    {
      phase: 'Running',
      initContainerStatuses: [container({ terminated: { exitCode: 0 } }, true)],
      containerStatuses: [container({ running: {} }, true)],
    },
  ],
])('%s', (status, facts) => {
  expect(describePod(pod('p', 'web-1', facts)).status).toBe(status);
});

test('a pod that goes is Terminating, whatever its containers do', () => {
  const going = pod('p', 'web-1');
  going.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
  expect(describePod(going).status).toBe('Terminating');
});

test('counts containers and restarts', () => {
  const seen = describePod(
    pod('p', 'web-1', {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'False' }],
      containerStatuses: [
        container({ running: {} }, true, 2),
        container({ running: {} }, false, 1),
      ],
    }),
  );
  expect(seen).toMatchObject({ readyContainers: 1, restarts: 3, isReady: false });
});
