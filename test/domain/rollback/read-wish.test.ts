import { describe, expect, test } from '@jest/globals';

import { describeWishProblems, readWish } from '../../../src/domain/rollback/read-wish.js';

const fields = (written: unknown): readonly string[] => {
  const read = readWish('web', written);
  return read.kind === 'wish' ? [] : read.problems.map(({ field }) => field);
};

describe('a wish', () => {
  test('has its parts filled in', () => {
    expect(readWish('web', {})).toEqual({
      kind: 'wish',
      wish: { config: true, application: true },
    });
  });

  test("is the document's own form", () => {
    const written = { release: 'web-1', config: true, application: false, notes: 'I messed up' };
    expect(readWish('web', written)).toEqual({
      kind: 'wish',
      wish: { release: 1, config: true, application: false, notes: 'I messed up' },
    });
  });

  test('may keep the number of replicas', () => {
    expect(readWish('web', { keepsReplicas: true })).toMatchObject({
      wish: { keepsReplicas: true },
    });
    expect(readWish('web', { keepsReplicas: null })).not.toHaveProperty('wish.keepsReplicas');
    expect(fields({ keepsReplicas: 3 })).toEqual(['keepsReplicas']);
  });

  test.each([
    ['web-12', 12],
    ['12', 12],
    [12, 12],
  ])('may name its release as %p', (release, version) => {
    expect(readWish('web', { release })).toMatchObject({ wish: { release: version } });
  });

  test.each([undefined, null, ''])('has the usual release when it is %p', (release) => {
    expect(readWish('web', { release, notes: null, by: '' })).toEqual({
      kind: 'wish',
      wish: { config: true, application: true },
    });
  });

  test('keeps apart what ends alike', () => {
    expect(readWish('web-1', { release: 'web-1-2' })).toMatchObject({ wish: { release: 2 } });
    expect(fields({ release: 'web-1-2' })).toEqual(['release']);
  });
});

describe('a wish that is none', () => {
  test.each([undefined, null, 'web-1', ['web-1']])('%p', (written) => {
    expect(fields(written)).toEqual(['']);
  });

  test.each(['db-1', 'web', 'web-', 'web-0', '-1', 0, -1, 1.5, 'web-01', true, '9'.repeat(20)])(
    'names the release %p',
    (release) => {
      expect(fields({ release })).toEqual(['release']);
    },
  );

  test('tells all that is wrong with it', () => {
    const written = {
      release: 'db-1',
      config: 'yes',
      application: 1,
      notes: 1,
      by: {},
      revision: 2,
    };
    expect(fields(written)).toEqual([
      'revision',
      'config',
      'application',
      'notes',
      'by',
      'release',
    ]);
  });

  test('has a strategy, which goes back with the config', () => {
    expect(fields({ strategy: 'Rolling' })).toEqual(['strategy']);
  });

  test('has nothing go back', () => {
    expect(fields({ config: false, application: false })).toEqual(['application']);
  });
});

test('problems are told with where they are', () => {
  const problems = [
    { field: '', message: 'must be an object' },
    { field: 'release', message: 'is not there' },
  ];
  expect(describeWishProblems('rollback', problems)).toBe(
    'rollback: must be an object; rollback.release: is not there',
  );
});
