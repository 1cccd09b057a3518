import { expect, test } from '@jest/globals';

import { planClaims } from '../../../src/domain/deployment/plan-claims.js';
import { planDeployment } from '../../../src/domain/deployment/plan-deployment.js';
import { newSet, observation, replicaSet } from '../../support/observations.js';

test('takes orphans and lets strays go, before anything else', () => {
  const seen = observation({
    replicaSets: [
      replicaSet({ name: 'web-orphan', isOrphan: true, desired: 10 }),
      replicaSet({ name: 'web-stray', isStray: true, desired: 2 }),
      replicaSet({ name: 'web-going', isOrphan: true, beingDeleted: true }),
    ],
  });
  expect(planDeployment(seen).actions).toEqual([
    { kind: 'adoptReplicaSet', name: 'web-orphan', uid: 'web-orphan-uid' },
    { kind: 'releaseReplicaSet', name: 'web-stray', uid: 'web-stray-uid' },
  ]);
});

test('has nothing to say of sets that are where they belong', () => {
  expect(planClaims(observation({ replicaSets: [newSet({ desired: 10 })] }))).toBeUndefined();
});
