import { expect, test } from '@jest/globals';

import { createLineReader } from '../../conformance/read-line.js';

function readAll(text: string): readonly unknown[] {
  const readLine = createLineReader();
  return text
    .split('\n')
    .map(readLine)
    .filter((event) => event !== undefined);
}

test('tests start after a delimiter and end with their time', () => {
  const output = `Random Seed: 1763295431 - will randomize all specs

Will run 11 of 7579 specs
------------------------------
[SynchronizedBeforeSuite] 
k8s.io/kubernetes/test/e2e/e2e.go:69
[SynchronizedBeforeSuite] PASSED [0.024 seconds]
------------------------------
[sig-apps] Deployment deployment should support rollover [Conformance] [sig-apps, Conformance]
k8s.io/kubernetes/test/e2e/apps/deployment.go:150
  STEP: Creating a kubernetes client @ 11/16/26 12:17:02.1
• [19.492 seconds]
------------------------------
[sig-apps] Deployment deployment reaping should cascade to its replica sets and pods [sig-apps]
  I1116 12:17:30.000 1 deployment.go:1] • [1.000 seconds]
• [FAILED] [302.263 seconds]
[sig-apps] Deployment [It] deployment reaping should cascade to its replica sets and pods [sig-apps]
------------------------------
[SynchronizedAfterSuite] PASSED [0.009 seconds]
`;
  expect(readAll(output)).toEqual([
    { kind: 'planned', count: 11 },
    {
      kind: 'started',
      name: '[sig-apps] Deployment deployment should support rollover [Conformance]',
    },
    { kind: 'ended', passed: true },
    {
      kind: 'started',
      name: '[sig-apps] Deployment deployment reaping should cascade to its replica sets and pods',
    },
    { kind: 'ended', passed: false },
  ]);
});

test.each(['FAILED', 'PANICKED!', 'TIMEDOUT', 'INTERRUPTED', 'ABORTED'])(
  'one that was %s has not passed',
  (state) => {
    expect(readAll(`• [${state}] [0.001 seconds]`)).toEqual([{ kind: 'ended', passed: false }]);
  },
);
