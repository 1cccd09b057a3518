import { expect, test } from '@jest/globals';

import { findCrash } from '../../../src/kubernetes/deployments/find-crash.js';
import type { Pod } from '../../../src/kubernetes/objects.js';

function pod(name: string, waiting: string | undefined, over: Partial<Pod['metadata']> = {}): Pod {
  const container = {
    name: 'web',
    image: 'web:1',
    imageID: '',
    ready: waiting === undefined,
    restartCount: 2,
    lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } },
    state: waiting === undefined ? {} : { waiting: { reason: waiting } },
  };
  return { metadata: { name, ...over }, status: { containerStatuses: [container] } };
}

test('names the container, the pod and how it ended', () => {
  expect(findCrash([pod('web-b', 'CrashLoopBackOff'), pod('web-a', 'CrashLoopBackOff')])).toBe(
    'container web of pod web-a keeps crashing with exit code 137 (OOMKilled), 2 restarts',
  );
});

test.each([
  ['a pod that runs', pod('web-a', undefined)],
  ['an image that is not there', pod('web-a', 'ImagePullBackOff')],
  ['a pod on its way out', pod('web-a', 'CrashLoopBackOff', { deletionTimestamp: 'now' })],
])('%s is no crash', (_title, one) => {
  expect(findCrash([one])).toBeUndefined();
});

test('an init container counts, too', () => {
  const { status, metadata } = pod('web-a', 'CrashLoopBackOff');
  const containers = status?.containerStatuses ?? [];
  expect(findCrash([{ metadata, status: { initContainerStatuses: containers } }])).toContain(
    'web-a',
  );
});
