import { describe, expect, it } from '@jest/globals';

import { cases } from '../../bench/cases.js';
import { engineNames } from '../../bench/engine-names.js';
import { planTurns } from '../../bench/plan-turns.js';

const rollout = cases.find(({ kind }) => kind === 'rollout')!;
const idle = cases.find(({ kind }) => kind === 'idle')!;

describe('planTurns', () => {
  it('gives every engine one turn in each round, and each round another beginning', () => {
    const turns = planTurns(rollout, engineNames, 3);
    expect(turns.map(({ round, engine }) => `${round} ${engine}`)).toEqual([
      '1 slipway',
      '1 built-in',
      '1 argo',
      '2 built-in',
      '2 argo',
      '2 slipway',
      '3 argo',
      '3 slipway',
      '3 built-in',
    ]);
  });

  it('begins anew when there are more rounds than engines', () => {
    const turns = planTurns(rollout, ['slipway', 'built-in'], 3);
    expect(turns.at(4)).toEqual({ round: 3, engine: 'slipway' });
  });

  it('looks at idle Deployments once', () => {
    expect(planTurns(idle, engineNames, 5)).toHaveLength(engineNames.length);
  });
});
