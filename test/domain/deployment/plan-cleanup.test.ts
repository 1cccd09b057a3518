import { expect, test } from '@jest/globals';

import { planCleanup } from '../../../src/domain/deployment/plan-cleanup.js';
import { deploymentSummary, replicaSet } from '../../support/observations.js';

const abort = { moment: 'abort', isMandatory: false, ended: 0 } as const;
const old = [3, 1, 2].map((revision) => replicaSet({ name: `r${revision}`, revision, desired: 0 }));
const namesOf = (sets: ReturnType<typeof planCleanup>): string[] => sets.map(({ name }) => name);

test('the oldest revisions go first', () => {
  expect(namesOf(planCleanup(deploymentSummary({ revisionHistoryLimit: 1 }), old))).toEqual([
    'r1',
    'r2',
  ]);
});

test('a limit of 0 keeps none', () => {
  expect(planCleanup(deploymentSummary({ revisionHistoryLimit: 0 }), old)).toHaveLength(3);
});

test('no limit, no cleaning', () => {
  const { revisionHistoryLimit: _limit, ...deployment } = deploymentSummary();
  expect(planCleanup(deployment, old)).toEqual([]);
});

test.each([
  ['is asked for pods', { desired: 1 }],
  ['still has pods', { replicas: 1 }],
  ['speaks of an older spec', { statusIsCurrent: false }],
  ['has a hook that runs', { hooks: [{ ...abort, phase: 'Running' }] }],
  ['has yet to be reverted', { failed: 'its pre hook failed', hooks: [abort] }],
] as const)('a set that %s stays', (_title, over) => {
  const sets = [replicaSet({ name: 'busy', desired: 0, revision: 1, ...over }), ...old.slice(0, 1)];
  expect(planCleanup(deploymentSummary({ revisionHistoryLimit: 1 }), sets)).toEqual([]);
});
