import { expect, test } from '@jest/globals';

import type { RollbackStanding } from '../../src/contracts/rollback.js';
import type { ConfigReport } from '../../src/domain/rollback/report.js';
import { describeEnd, describeProblems } from '../../src/workflows/rollback/describe-rollback.js';

const report = (name: string, over: Partial<ConfigReport> = {}): ConfigReport => ({
  name,
  from: 2,
  to: 1,
  changes: [],
  problems: [],
  warnings: [],
  ...over,
});
const standing = (name: string, over: Partial<RollbackStanding>): RollbackStanding => ({
  name,
  from: 2,
  to: 1,
  state: 'Untouched',
  ...over,
});
const end = (...standings: RollbackStanding[]): string =>
  describeEnd({
    summary: '',
    report: { configs: standings.map(({ name }) => report(name)) },
    standings,
  });

test('what was done', () => {
  expect(end(standing('web', { state: 'Complete', version: 3 }))).toBe(
    'web has gone back from version 2 to version 1, as version 3.',
  );
});

test('where each stands when one has failed, that one first', () => {
  const text = end(
    standing('web', { state: 'Complete', version: 3 }),
    standing('db', { state: 'Failed', version: 4, reason: 'no room' }),
    standing('cache', {}),
  );
  expect(text).toBe(
    'version 4 of db has failed: no room; web has gone back from version 2 to version 1, as version 3; cache is untouched at version 2.',
  );
});

test('what could not even begin', () => {
  expect(end(standing('web', { state: 'Failed', reason: 'web has changed' }))).toBe(
    'web could not go back: web has changed.',
  );
});

test('what would be done', () => {
  expect(end(standing('web', {}))).toBe('web would go back from version 2 to version 1.');
});

test('every problem, with the config that has it', () => {
  const problem = (message: string) => ({ field: 'release', message });
  const configs = [
    report('web', { problems: [problem('a'), problem('b')] }),
    report('db'),
    report('cache', { problems: [problem('c')] }),
  ];
  expect(describeProblems({ configs })).toBe(
    'Nothing was changed: web: release: a; web: release: b; cache: release: c',
  );
});
