import { describe, expect, test } from '@jest/globals';

import { pickRelease, type Release } from '../../../src/domain/rollback/pick-release.js';

const complete = (version: number): Release => ({ version, wasComplete: true, isReadable: true });
const failed = (version: number): Release => ({ ...complete(version), wasComplete: false });
const spoilt = (version: number): Release => ({ ...complete(version), isReadable: false });

const pick = (latestVersion: number, releases: readonly Release[], release?: number) =>
  pickRelease({ name: 'web', latestVersion, releases }, release === undefined ? {} : { release });

const problem = (message: string) => ({
  kind: 'problem',
  problem: { field: 'release', message },
});

describe('by default', () => {
  test.each<[string, number, Release[], number]>([
    ['the one before', 2, [complete(1), complete(2)], 1],
    ['the last complete one', 4, [complete(1), complete(2), failed(3), failed(4)], 2],
    ['one before the current, however complete that is', 3, [complete(1), complete(3)], 1],
    ['whichever way they are sorted', 4, [complete(3), complete(1), complete(4), complete(2)], 3],
  ])('%s', (_title, latest, releases, version) => {
    expect(pick(latest, releases)).toEqual({ kind: 'picked', version });
  });

  test('is refused where none was complete', () => {
    const message = 'no version of web before 2, its current one, was complete';
    expect(pick(2, [failed(1), complete(2)])).toEqual(problem(message));
    expect(pick(1, [complete(1)])).toMatchObject({ kind: 'problem' });
  });
});

describe('by its number', () => {
  const releases = [complete(1), failed(2), complete(3), spoilt(4), complete(5)];

  test('any that was complete', () => {
    expect(pick(5, releases, 1)).toEqual({ kind: 'picked', version: 1 });
    expect(pick(5, releases, 3)).toEqual({ kind: 'picked', version: 3 });
  });

  test.each([
    [2, 'version 2 of web was never complete'],
    [4, 'somebody has spoilt the snapshot of version 4 of web'],
    [5, 'version 5 is the one that web has now'],
    [7, 'there is no version 7 of web; it has 1, 2, 3, 4, 5'],
  ])('%i is refused', (version, message) => {
    expect(pick(5, releases, version)).toEqual(problem(message));
  });

  test('says so when there is none at all', () => {
    expect(pick(3, [], 1)).toEqual(problem('there is no version 1 of web; it has none'));
  });
});

test('the usual one is refused when its snapshot is spoilt, and no earlier one taken for it', () => {
  const message = 'somebody has spoilt the snapshot of version 2 of web';
  expect(pick(3, [complete(1), spoilt(2), complete(3)])).toEqual(problem(message));
});

test('a config without a version has nothing to go back to', () => {
  const message = 'web has no version yet, so there is nothing to go back to';
  expect(pick(0, [])).toEqual(problem(message));
  expect(pick(0, [], 1)).toEqual(problem(message));
});
