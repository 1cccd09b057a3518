import { describe, expect, it } from '@jest/globals';

import { judgeGoals } from '../../bench/judge-goals.js';
import { summarise } from '../../bench/summarise.js';
import type { Turn } from '../../bench/turn.js';
import { idleTurn, rolloutTurn } from './support/turns.js';

const judge = (...turns: readonly Turn[]): Record<string, boolean> =>
  Object.fromEntries(judgeGoals(summarise(turns)).map(({ text, isMet }) => [text, isMet]));

describe('judgeGoals', () => {
  it('compares with both others, where they took part', () => {
    expect(
      judge(
        rolloutTurn('slipway', 1, [1.1]),
        rolloutTurn('built-in', 1, [1]),
        rolloutTurn('argo', 1, [0.99]),
      ),
    ).toEqual({
      '1 Deployment × 100 pods: at most 1.10× the time of built-in controller': true,
      '1 Deployment × 100 pods: at most 1.10× the time of Argo Rollouts': false,
      'the worker stays under 400 MB': true,
    });
  });

  it('says nothing when Slipway was not measured', () => {
    expect(judge(rolloutTurn('built-in', 1, [1]), rolloutTurn('argo', 1, [1]))).toEqual({});
  });

  it.each([
    [59, true],
    [60, false],
  ])('%d history events in the worst rollout of 100 pods: %s', (events, isMet) => {
    const goals = judge(rolloutTurn('slipway', 1, [1], { historyEvents: [40, events] }));
    expect(goals['1 Deployment × 100 pods: fewer than 60 history events']).toBe(isMet);
  });

  it('does not count the events of other cases', () => {
    const goals = judge(rolloutTurn('slipway', 1, [1], { case: '1x1000', historyEvents: [900] }));
    expect(Object.keys(goals)).toEqual(['the worker stays under 400 MB']);
  });

  it.each([
    [399e6, true],
    [400e6, false],
  ])('a worker that once had %d bytes: %s', (engine, isMet) => {
    const goals = judge(
      rolloutTurn('slipway', 1, [1]),
      rolloutTurn('slipway', 2, [1], { peakBytes: { engine, temporal: 900e6 } }),
    );
    expect(goals['the worker stays under 400 MB']).toBe(isMet);
  });

  it.each([
    [0, true],
    [1, false],
  ])('%d open runs while all is idle: %s', (openRuns, isMet) => {
    expect(judge(idleTurn('slipway', { openRuns }))['300 idle Deployments: no open run']).toBe(
      isMet,
    );
  });
});
