import { describe, expect, test } from '@jest/globals';

import type { ReplicaSetSummary } from '../../../src/domain/deployment/observation.js';
import { planDeployment } from '../../../src/domain/deployment/plan-deployment.js';
import { isNews, isUrgent, toStages, type Action } from '../../../src/domain/deployment/plan.js';
import { newSet, observation, replicaSet } from '../../support/observations.js';

const sizes = { desired: 10, max: 13 };
const scale = (name: string, from: number, to: number): Action => ({
  kind: 'scaleReplicaSet',
  name,
  uid: name,
  from,
  to,
  sizes,
});

describe('stages', () => {
  const record: Action = { kind: 'recordRevision', revision: 2 };

  test('a set grows when all else is written', () => {
    const actions = [scale('new', 0, 5), record, scale('old', 10, 8), scale('older', 1, 0)];
    expect(toStages(actions)).toEqual([
      [record, scale('old', 10, 8), scale('older', 1, 0)],
      [scale('new', 0, 5)],
    ]);
  });

  test.each([
    ['growth alone is one stage', [scale('new', 0, 5)], 1],
    ['so are notes alone', [record], 1],
    ['nothing to write is none', [], 0],
  ])('%s', (_title, actions, count) => {
    expect(toStages(actions)).toHaveLength(count);
  });
});

describe('what can wait', () => {
  /** What is planned at the last look, when what was planned at those before was written down. */
  function after(...looks: readonly (readonly ReplicaSetSummary[])[]): {
    readonly news: boolean;
    readonly urgent: boolean;
  } {
    let seen = observation({ deployment: { revision: 2 } });
    let plan = planDeployment(seen);
    for (const replicaSets of looks) {
      seen = { ...seen, replicaSets };
      plan = planDeployment(seen);
      if (replicaSets === looks.at(-1)) break;
      const status = plan.status ?? seen.deployment.status;
      seen = { ...seen, deployment: { ...seen.deployment, status } };
    }
    return { news: isNews(plan, seen), urgent: isUrgent(plan, seen) };
  }

  const complete = newSet({ desired: 10 });

  test.each([
    ['a pod that got lost', [complete], [newSet({ desired: 10, available: 9, ready: 9 })]],
    ['pods on their way out', [complete], [{ ...complete, terminating: 3 }]],
  ])('%s: other counts', (_title, before, now) => {
    expect(after(before, now)).toEqual({ news: false, urgent: false });
  });

  test.each([
    ['too few pods are left', [complete], [newSet({ desired: 10, available: 2, ready: 2 })]],
    ['the rollout is complete', [newSet({ desired: 10, available: 9, ready: 9 })], [complete]],
  ])('%s: news', (_title, before, now) => {
    expect(after(before, now)).toEqual({ news: true, urgent: true });
  });

  test('a step: urgent, but its counts are no news', () => {
    const old = replicaSet({ desired: 8 });
    const atReady = (ready: number): readonly ReplicaSetSummary[] => [
      newSet({ desired: 5, available: ready, ready }),
      old,
    ];
    expect(after(atReady(0), atReady(1), atReady(2))).toEqual({ news: false, urgent: true });
  });
});
