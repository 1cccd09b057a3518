import { describe, expect, test } from '@jest/globals';

import { planSearchAttributes } from '../../../src/client/install/plan-search-attributes.js';

const keyword = 2;
const int = 3;
const all = {
  SlipwayKind: keyword,
  SlipwayNamespace: keyword,
  SlipwayName: keyword,
  SlipwayCluster: keyword,
  SlipwayPhase: keyword,
  SlipwayRevision: int,
};

describe('planSearchAttributes', () => {
  test('adds all of them to a new namespace', () => {
    expect(planSearchAttributes({})).toEqual({ missing: all, present: [], wrong: [] });
  });

  test('adds none that is there, and minds no others', () => {
    expect(planSearchAttributes({ ...all, CustomerId: keyword })).toEqual({
      missing: {},
      present: Object.keys(all),
      wrong: [],
    });
  });

  test('adds what a newer version has beside what an older one made', () => {
    const { SlipwayRevision, ...older } = all;
    const plan = planSearchAttributes(older);
    expect(plan.missing).toEqual({ SlipwayRevision });
    expect(plan.present).toEqual(Object.keys(older));
  });

  test('reports one that has another type', () => {
    const { missing, wrong } = planSearchAttributes({ ...all, SlipwayPhase: 1, SlipwayName: 99 });
    expect(missing).toEqual({});
    expect(wrong).toEqual([
      { name: 'SlipwayName', has: 'type 99', wants: 'KEYWORD' },
      { name: 'SlipwayPhase', has: 'TEXT', wants: 'KEYWORD' },
    ]);
  });
});
