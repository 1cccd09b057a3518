import { describe, expect, test } from '@jest/globals';

import { nameRolloutTriggers } from '../../../src/domain/deployment/name-triggers.js';
import type { DeploymentSummary } from '../../../src/domain/deployment/observation.js';
import { planDeployment } from '../../../src/domain/deployment/plan-deployment.js';
import { deploymentSummary, newSet, observation, replicaSet } from '../../support/observations.js';

const rolledBack = { from: 'web-x', to: 'web-new', reason: 'PodsCrash', message: '' } as const;

test.each<[string, Partial<DeploymentSummary>, readonly string[]]>([
  ['a first rollout', {}, ['Manual']],
  ['an image', { templateChanges: ['image'] }, ['NewImage']],
  ['anything else', { templateChanges: ['config'] }, ['ConfigChange']],
  ['both', { templateChanges: ['image', 'config'] }, ['NewImage', 'ConfigChange']],
  ['a restart', { templateChanges: ['restart'] }, ['Manual']],
  ['what was said', { templateChanges: ['config'], statedTriggers: ['NewImage'] }, ['NewImage']],
])('%s', (_title, over, triggers) => {
  expect(nameRolloutTriggers(deploymentSummary(over), undefined)).toEqual(triggers);
});

describe('a set that is there already', () => {
  test('is gone back to by somebody', () => {
    const deployment = deploymentSummary({ templateChanges: ['image'] });
    expect(nameRolloutTriggers(deployment, { name: 'web-new' })).toEqual(['Manual']);
  });

  test('unless it was an automatic rollback', () => {
    expect(nameRolloutTriggers(deploymentSummary({ rolledBack }), { name: 'web-new' })).toEqual([]);
  });
});

describe('a plan names them', () => {
  test('when it starts a rollout', () => {
    const seen = observation({
      deployment: { templateChanges: ['image'] },
      replicaSets: [replicaSet({ desired: 10 })],
    });
    expect(planDeployment(seen).triggers).toEqual(['NewImage']);
  });

  test.each(['Autoscaler', 'Manual'] as const)('when it starts a scaling: %s', (scaledBy) => {
    const seen = observation({
      deployment: { revision: 2, replicas: 12, scaledBy },
      replicaSets: [newSet({ desired: 10 })],
    });
    expect(planDeployment(seen).triggers).toEqual([scaledBy]);
  });

  test('and not in the steps that follow', () => {
    const seen = observation({
      deployment: { revision: 2, scaledBy: 'Autoscaler' },
      replicaSets: [newSet({ desired: 3 }), replicaSet({ desired: 8 })],
    });
    expect(planDeployment(seen).triggers).toBeUndefined();
  });
});
