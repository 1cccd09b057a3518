import { describe, expect, it } from '@jest/globals';

import { computeRatio, medianOf, summarise } from '../../bench/summarise.js';
import { idleTurn, rolloutTurn } from './support/turns.js';

describe('medianOf', () => {
  it.each([
    [[3], 3],
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
    [[10, 9, 100], 10],
  ])('of %j is %d', (values, median) => {
    expect(medianOf(values)).toBe(median);
  });
});

describe('computeRatio', () => {
  it('compares within rounds, so that a machine that gets slower changes nothing', () => {
    const own = [rolloutTurn('slipway', 1, [2.2]), rolloutTurn('slipway', 2, [8.8])];
    const other = [rolloutTurn('built-in', 1, [2]), rolloutTurn('built-in', 2, [8])];
    expect(computeRatio(own, other)).toBeCloseTo(1.1);
  });

  it('takes the middle one of the rounds and, in a round, of the rollouts', () => {
    const own = [1, 2, 3].map((round) => rolloutTurn('slipway', round, [1, 3, 9]));
    const other = [
      rolloutTurn('argo', 1, [1]),
      rolloutTurn('argo', 2, [2]),
      rolloutTurn('argo', 3, [6]),
    ];
    expect(computeRatio(own, other)).toBe(1.5);
  });

  it('leaves out rounds that the other did not have', () => {
    const own = [rolloutTurn('slipway', 1, [3]), rolloutTurn('slipway', 2, [50])];
    expect(computeRatio(own, [rolloutTurn('argo', 1, [2])])).toBe(1.5);
    expect(computeRatio(own, [])).toBeUndefined();
  });
});

describe('summarise', () => {
  it('puts cases and engines in their usual order and leaves out what was not measured', () => {
    const summaries = summarise([
      idleTurn('built-in'),
      rolloutTurn('argo', 1, [2]),
      rolloutTurn('slipway', 1, [3]),
    ]);
    expect(summaries.map((summary) => summary.case)).toEqual(['1x100', '300-idle']);
    expect(summaries[0]?.engines.map(({ engine }) => engine)).toEqual(['slipway', 'argo']);
    expect(summaries[0]?.engines[0]?.ratios).toEqual({ argo: 1.5 });
  });

  it('takes all rollouts of all rounds together for the spread', () => {
    const [summary] = summarise([
      rolloutTurn('slipway', 1, [3, 1], { historyEvents: [50] }),
      rolloutTurn('slipway', 2, [2], { historyEvents: [58, 54] }),
    ]);
    expect(summary?.engines[0]?.seconds).toEqual({ median: 2, least: 1, most: 3 });
    expect(summary?.engines[0]?.historyEvents).toEqual({ median: 54, least: 50, most: 58 });
  });

  it('keeps the highest peak of each process', () => {
    const [summary] = summarise([
      rolloutTurn('slipway', 1, [1], { peakBytes: { engine: 200, temporal: 90 } }),
      rolloutTurn('slipway', 2, [1], { peakBytes: { engine: 150, temporal: 120 } }),
      rolloutTurn('slipway', 3, [1], { peakBytes: null }),
    ]);
    expect(summary?.engines[0]?.peakBytes).toEqual({ engine: 200, temporal: 120 });
  });

  it('turns CPU time into a share of one core', () => {
    const [summary] = summarise([
      idleTurn('slipway', {
        windowSeconds: 10,
        cpuSeconds: { engine: 0.5, temporal: 1 },
        openRuns: 0,
      }),
    ]);
    expect(summary?.engines[0]).toMatchObject({
      cpuShare: { engine: 0.05, temporal: 0.1 },
      openRuns: 0,
    });
  });
});
