import { describe, expect, test } from '@jest/globals';

import {
  describeCounts,
  describeDeployment,
} from '../../../src/client/tree/describe-deployment.js';
import { deployment, type DeploymentFacts } from '../support/objects.js';

const late = {
  type: 'Progressing',
  status: 'False',
  reason: 'ProgressDeadlineExceeded',
  message: 'ReplicaSet "web-2" has timed out progressing.',
};
const cancelled = { 'slipway.dev/cancelled': 'wrong image' };

const hook = (reason: string, status: string) => ({ ...late, reason, status });

describe('the phase in words', () => {
  test.each<[string, DeploymentFacts, string]>([
    ['all updated and available', {}, 'Complete'],
    ['none wanted, none there', { desired: 0 }, 'Complete'],
    ['not all updated', { updated: 6 }, 'Progressing'],
    ['old ones left', { current: 12 }, 'Progressing'],
    ['not all available', { available: 9 }, 'Progressing'],
    ['a change nobody has seen', { generation: 3, observed: 2 }, 'Waiting'],
    ['late', { updated: 6, conditions: [late] }, 'Failed'],
    ['late, before a new change', { observed: 1, conditions: [late] }, 'Waiting'],
    ['all in place, and a hook runs', { conditions: [hook('HookRunning', 'True')] }, 'Progressing'],
    [
      'none wanted, and a hook failed',
      { desired: 0, conditions: [hook('HookFailed', 'False')] },
      'Failed',
    ],
    ['late, and complete in the end', { conditions: [late] }, 'Complete'],
    ['paused half-way', { updated: 6, paused: true }, 'Paused'],
    ['paused before anybody looked', { observed: 1, paused: true }, 'Paused'],
    ['paused when complete', { paused: true }, 'Complete'],
    ['cancelled', { updated: 6, paused: true, annotations: cancelled }, 'Cancelled'],
    ['cancelled and resumed by kubectl', { updated: 6, annotations: cancelled }, 'Progressing'],
  ])('%s', (_title, facts, phase) => {
    expect(describeDeployment(deployment(facts)).phase).toBe(phase);
  });

  test('a Deployment without any status is waiting', () => {
    const { status: _status, ...fresh } = deployment();
    expect(describeDeployment(fresh)).toMatchObject({
      phase: 'Waiting',
      replicas: { desired: 10, current: 0, updated: 0, ready: 0, available: 0 },
    });
  });
});

describe('the message', () => {
  test.each<[string, DeploymentFacts, string]>([
    ['the condition’s', { updated: 6, conditions: [late] }, late.message],
    ['none', {}, ''],
    ['a pause without a reason', { paused: true }, 'Paused.'],
    [
      'a pause with one',
      { paused: true, annotations: { 'slipway.dev/pause-reason': 'errors' } },
      'Paused: errors',
    ],
    [
      'a cancellation',
      { updated: 1, paused: true, annotations: cancelled },
      'Cancelled: wrong image',
    ],
    ['waiting', { observed: 1 }, 'No controller has seen this change yet.'],
    [
      'pods that can’t be created',
      {
        updated: 6,
        conditions: [
          { type: 'Progressing', status: 'True', message: 'It goes on.' },
          { type: 'ReplicaFailure', status: 'True', message: 'exceeded quota' },
        ],
      },
      'It goes on. exceeded quota',
    ],
  ])('%s', (_title, facts, message) => {
    expect(describeDeployment(deployment(facts)).message).toBe(message);
  });

  test('an object that goes says so', () => {
    const going = deployment();
    going.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
    expect(describeDeployment(going).message).toBe('It is being deleted.');
  });
});

test.each<[DeploymentFacts, string]>([
  [{ updated: 6, current: 12, available: 8 }, '6 of 10 updated, 8 available, 6 old left'],
  [{}, '10 of 10 updated, 10 available'],
  [{ observed: 1 }, '10 of 10 available'],
])('counts of %j', (facts, text) => {
  expect(describeCounts(describeDeployment(deployment(facts)))).toBe(text);
});
