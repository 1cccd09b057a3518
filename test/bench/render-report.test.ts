import { describe, expect, it } from '@jest/globals';

import { judgeGoals } from '../../bench/judge-goals.js';
import { renderReport } from '../../bench/render-report.js';
import { summarise } from '../../bench/summarise.js';
import { idleTurn, rolloutTurn } from './support/turns.js';

describe('renderReport', () => {
  it('shows seconds, ratios, memory and events, then idling, then the goals', () => {
    const summaries = summarise([
      rolloutTurn('slipway', 1, [2, 2.5, 3], {
        peakBytes: { engine: 231e6, temporal: 140e6 },
        cpuSeconds: { engine: 2, temporal: 1.5, cluster: 9 },
        historyEvents: [52, 52, 54],
      }),
      rolloutTurn('built-in', 1, [2]),
      rolloutTurn('argo', 1, [2.5]),
      idleTurn('slipway', { cpuSeconds: { engine: 0.15, temporal: 0.6 }, openRuns: 0 }),
    ]);
    expect(renderReport(summaries, judgeGoals(summaries))).toEqual([
      'ROLLOUT                   ENGINE                SECONDS (MEDIAN, SPREAD)   × BUILT-IN   × ARGO   PEAK MEMORY                CPU SECONDS                        HISTORY EVENTS',
      '1 Deployment × 100 pods   Slipway               2.50 (2.00–3.00)           1.25×        1.00×    231 MB + Temporal 140 MB   2.0 + Temporal 1.5 + cluster 9.0   52 (52–54)',
      '                          built-in controller   2.00                       1            0.80×    100 MB                     0.5 + cluster 8.0                  –',
      '                          Argo Rollouts         2.50                       1.25×        1        100 MB                     0.5 + cluster 8.0                  –',
      '',
      'IDLE                   ENGINE    CPU                      PEAK MEMORY   OPEN RUNS',
      '300 idle Deployments   Slipway   1.0 % + Temporal 4.0 %   90 MB         0',
      '',
      'GOAL     MEASURED',
      'MISSED   1.25×      1 Deployment × 100 pods: at most 1.10× the time of built-in controller',
      'met      1.00×      1 Deployment × 100 pods: at most 1.10× the time of Argo Rollouts',
      'met      54         1 Deployment × 100 pods: fewer than 60 history events',
      'met      231 MB     the worker stays under 400 MB',
      'met      0          300 idle Deployments: no open run',
      '',
    ]);
  });

  it('says nothing about what was not measured', () => {
    const summaries = summarise([
      rolloutTurn('built-in', 1, [2], { peakBytes: null, cpuSeconds: null }),
    ]);
    expect(renderReport(summaries, []).slice(1)).toEqual([
      '1 Deployment × 100 pods   built-in controller   2.00                       1            –        –             –             –',
      '',
    ]);
  });
});
