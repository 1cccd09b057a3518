import { describe, expect, it } from '@jest/globals';

import { averageOf, subtract } from '../../bench/turn.js';

describe('subtract', () => {
  it('takes each share from its like', () => {
    expect(
      subtract({ engine: 5, temporal: 3, cluster: 20 }, { engine: 4, temporal: 1, cluster: 8 }),
    ).toEqual({ engine: 1, temporal: 2, cluster: 12 });
    expect(subtract({ engine: 5, cluster: 20 }, { engine: 4, cluster: 8 })).toEqual({
      engine: 1,
      cluster: 12,
    });
  });

  it('knows nothing when one side is unknown', () => {
    expect(subtract(null, { engine: 4, cluster: 8 })).toBeNull();
    expect(subtract({ engine: 4, cluster: 8 }, null)).toBeNull();
  });
});

describe('averageOf', () => {
  it('leaves out what is unknown', () => {
    expect(
      averageOf([
        { engine: 1, temporal: 4, cluster: 10 },
        null,
        { engine: 3, temporal: 2, cluster: 30 },
      ]),
    ).toEqual({ engine: 2, temporal: 3, cluster: 20 });
    expect(averageOf([null])).toBeNull();
  });
});
