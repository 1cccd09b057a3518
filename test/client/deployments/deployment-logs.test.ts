import { expect, test } from '@jest/globals';

import { judgeRollout } from '../../../src/client/deployments/deployment-logs.js';
import { hookMarks } from '../support/configs.js';
import { deployment, replicaSet, type DeploymentFacts } from '../support/objects.js';

const late = [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }];

test.each<[string, DeploymentFacts, Record<string, string>, string | undefined]>([
  ['complete', {}, {}, 'complete'],
  ['under way', { updated: 3 }, {}, undefined],
  ['late', { updated: 3, conditions: late }, {}, 'failed'],
  ['paused', { updated: 3, paused: true }, {}, undefined],
  [
    'cancelled',
    { updated: 3, paused: true, annotations: { 'slipway.dev/cancelled': 'now' } },
    {},
    'cancelled',
  ],
  ['busy with a hook', {}, hookMarks('post', 'Running', { ended: 0 }), undefined],
  ['done with its hook', {}, hookMarks('post', 'Succeeded', { ended: 1 }), 'complete'],
])('a rollout that is %s', (_what, facts, annotations, end) => {
  const set = replicaSet(2, { desired: 10, annotations });
  expect(judgeRollout(set, deployment(facts))).toBe(end);
});

test('one that is gone has failed', () => {
  expect(judgeRollout(replicaSet(2), undefined)).toBe('failed');
});
